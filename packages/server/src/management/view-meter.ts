import type { Database } from '../platform/db/database.js';
import { type CountMeter, type CountMeterOptions, createCountMeter } from './count-meter.js';
import { addViews, type ViewedPublication } from './publication-views.sql.js';

/** Counts how often publications are read. It stores nothing about the readers. */
export type ViewMeter = CountMeter<ViewedPublication>;

/** Starts the meter of views. The counts need little memory, because only public links have counts. */
export function createViewMeter(control: Database, options: CountMeterOptions): ViewMeter {
  return createCountMeter<ViewedPublication>((batch) => addViews(control, batch), options);
}
