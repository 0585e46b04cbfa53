export const texts = {};
