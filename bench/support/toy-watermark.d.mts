export function toyEncoder(options?: { rounds?: number }): Buffer;
export function toyDecoder(): Buffer;
export function foreignDecoder(): Buffer;
export function brokenDecoder(): Buffer;
