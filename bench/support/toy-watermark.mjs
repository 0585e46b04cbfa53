// A toy model with the names and shapes of TrustMark's variant Q. It changes the brightness of 32 x 32 cells. It shows
// only that the service can run a model.
import { floats, integers, node, writeOnnx } from './onnx-file.mjs';

const SIDE = 256;
const CELLS = 32;
const CELL = SIDE / CELLS;
const BITS = 100;
/** Amount by which a bit changes a cell. The values of a picture are from -1 to 1. */
const AMPLITUDE = 0.003;
/** Pictures have little energy in Walsh functions with so many sign changes. */
const FIRST_SEQUENCY = 22;
const ROOT = Math.sqrt(BITS);

const IMAGE = [1, 3, SIDE, SIDE];
const ENCODER_INPUTS = { 'onnx::Concat_0': IMAGE, 'onnx::Gemm_1': [1, BITS] };

function makeWalsh() {
  const rows = Array.from({ length: CELLS }, (_, row) =>
    Array.from({ length: CELLS }, (_, column) => (countOnes(row & column) % 2 === 0 ? 1 : -1)),
  );
  const changes = (row) => row.filter((value, at) => at > 0 && value !== row[at - 1]).length;
  return rows.sort((a, b) => changes(a) - changes(b));
}

const countOnes = (value) => value.toString(2).replaceAll('0', '').length;

/** The patterns are orthogonal, and their mean is zero. */
function makePatterns() {
  const walsh = makeWalsh().slice(FIRST_SEQUENCY, FIRST_SEQUENCY + ROOT);
  return walsh.flatMap((down) =>
    walsh.map((across) => down.flatMap((sign) => across.map((other) => sign * other))),
  );
}

const patterns = makePatterns();
const size = CELLS * CELLS;
const transposed = Array.from({ length: size * BITS }, (_, at) => patterns[at % BITS][Math.floor(at / BITS)]);

const readingNodes = (image, output) => [
  node('Conv', [image, 'mean'], 'cells', { kernel_shape: [CELL, CELL], strides: [CELL, CELL] }),
  node('Reshape', ['cells', 'row'], 'flat'),
  node('MatMul', ['flat', 'columns'], output),
];
const readingConstants = [
  floats('mean', [1, 3, CELL, CELL], Array(3 * CELL * CELL).fill(1 / (3 * CELL * CELL))),
  integers('row', [1, size]),
  floats('columns', [size, BITS], transposed),
];

/**
 * The encoder moves each correlation to the value of its bit. `rounds` is the number of additional multiplications that
 * take time and do not change the result.
 */
export function toyEncoder({ rounds = 0 } = {}) {
  const idle = Array.from({ length: rounds }, (_, round) =>
    node('MatMul', [`idle${round}`, 'identity'], round === rounds - 1 ? 'image' : `idle${round + 1}`),
  );
  const identity = floats(
    'identity',
    [SIDE, SIDE],
    Array.from({ length: SIDE * SIDE }, (_, at) => (at % (SIDE + 1) === 0 ? 1 : 0)),
  );
  return writeOnnx({
    inputs: ENCODER_INPUTS,
    outputs: { image: IMAGE },
    initializers: [
      ...readingConstants,
      floats('half', [1], [0.5]),
      floats('level', [1], [2 * AMPLITUDE * size]),
      floats(
        'rows',
        [BITS, size],
        patterns.flat().map((sign) => sign / size),
      ),
      integers('grid', [1, 1, CELLS, CELLS]),
      floats('spread', [1, 3, CELL, CELL], Array(3 * CELL * CELL).fill(1)),
      ...(rounds > 0 ? [identity] : []),
    ],
    nodes: [
      ...readingNodes('onnx::Concat_0', 'correlations'),
      node('Sub', ['onnx::Gemm_1', 'half'], 'centred'),
      node('Mul', ['centred', 'level'], 'wanted'),
      node('Sub', ['wanted', 'correlations'], 'difference'),
      node('MatMul', ['difference', 'rows'], 'changes'),
      node('Reshape', ['changes', 'grid'], 'small'),
      node('ConvTranspose', ['small', 'spread'], 'residual', {
        kernel_shape: [CELL, CELL],
        strides: [CELL, CELL],
      }),
      node('Add', ['onnx::Concat_0', 'residual'], rounds > 0 ? 'idle0' : 'image'),
      ...idle,
    ],
  });
}

/** The output is positive for a one. */
export function toyDecoder() {
  return writeOnnx({
    inputs: { image: IMAGE },
    outputs: { output: [1, BITS] },
    initializers: readingConstants,
    nodes: readingNodes('image', 'output'),
  });
}

/** Has the bits in the reverse order. */
export function foreignDecoder() {
  const [mean, row] = readingConstants;
  const columns = Array.from(
    { length: size * BITS },
    (_, at) => patterns[BITS - 1 - (at % BITS)][Math.floor(at / BITS)],
  );
  return writeOnnx({
    inputs: { image: IMAGE },
    outputs: { output: [1, BITS] },
    initializers: [mean, row, floats('columns', [size, BITS], columns)],
    nodes: readingNodes('image', 'output'),
  });
}

/** Returns 1,024 values in place of 100. */
export function brokenDecoder() {
  return writeOnnx({
    inputs: { image: IMAGE },
    outputs: { output: [1, size] },
    initializers: readingConstants.slice(0, 2),
    nodes: [...readingNodes('image', 'unused').slice(0, 1), node('Reshape', ['cells', 'row'], 'output')],
  });
}
