import type { Database } from '../platform/db/database.js';
import { type CountMeter, type CountMeterOptions, createCountMeter } from './count-meter.js';
import { addViews, type ViewedPublication } from './publication-views.sql.js';

/** Stores nothing about the readers. */
export type ViewMeter = CountMeter<ViewedPublication>;

/** The counts need little memory, because only public links have counts. */
export function createViewMeter(control: Database, options: CountMeterOptions): ViewMeter {
  return createCountMeter<ViewedPublication>((batch) => addViews(control, batch), options);
}
