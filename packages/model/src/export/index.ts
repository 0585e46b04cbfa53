export { provJsonSchema, toProvJson } from './prov-json.js';
export { roCrateSchema, toRoCrate } from './ro-crate.js';
