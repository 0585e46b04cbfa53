import type { StaticHolders } from '../access/authenticate.js';
import type { Sealer } from '../access/seal-secret.js';
import type { Database } from '../db/database.js';
import type { TakeTurn } from './take-turns.js';

/** What the use cases of the control plane work with. */
export interface ManagementNeeds {
  control: Database;
  /** Keys of the configuration. */
  staticHolders: StaticHolders;
  /** Makes this node see at once what was changed; others learn of it within a second. */
  forgetRemembered(): void;
  /** Changes hold their connection while they wait for each other: a few at a time leave the others some. */
  takeTurn: TakeTurn;
  /** Seals secret settings; undefined where no key for it is set. */
  sealer: Sealer | undefined;
  /** Whether projects may name this address. */
  mayReach(url: string): boolean;
  /** The configuration names a service to pin on. */
  pinsByDefault: boolean;
  /** Where this service is reached from outside. */
  publicUrl: string | undefined;
}

/** Who asks for something, and from where. */
export interface Actor {
  userId: string;
  /** Network address; null when nobody asked over the network. */
  address: string | null;
  requestId: string | null;
  /** This is the user's first call. */
  isNew: boolean;
}
