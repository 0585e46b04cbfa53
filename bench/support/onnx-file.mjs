// Writes small ONNX files (onnx.proto of ONNX 1.14: IR version 8, operator set 17), without a library.

const FLOAT = 1;
const INT64 = 7;
const IR_VERSION = 8;
const OPSET = 17;
/** Values of `AttributeProto.AttributeType`. */
const INTS_ATTRIBUTE = 7;

const VARINT = 0;
const BYTES = 2;

function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

const number = (field, value) => Buffer.concat([varint((field << 3) | VARINT), varint(value)]);

function bytes(field, value) {
  const content = Buffer.isBuffer(value) ? value : Buffer.from(value);
  return Buffer.concat([varint((field << 3) | BYTES), varint(content.length), content]);
}

const message = (field, parts) => bytes(field, Buffer.concat(parts));

export function floats(name, dims, values) {
  const raw = Buffer.from(Float32Array.from(values).buffer);
  return [...dims.map((size) => number(1, size)), number(2, FLOAT), bytes(8, name), bytes(9, raw)];
}

export function integers(name, values) {
  const raw = Buffer.from(BigInt64Array.from(values, BigInt).buffer);
  return [number(1, values.length), number(2, INT64), bytes(8, name), bytes(9, raw)];
}

/** `attributes`: lists of integers by name. */
export function node(type, inputs, output, attributes = {}) {
  return [
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, type),
    ...Object.entries(attributes).map(([name, values]) =>
      message(5, [bytes(1, name), ...values.map((value) => number(8, value)), number(20, INTS_ATTRIBUTE)]),
    ),
  ];
}

function valueInfo(field, [name, dims]) {
  const shape = message(
    2,
    dims.map((size) => message(1, [number(1, size)])),
  );
  return message(field, [bytes(1, name), message(2, [message(1, [number(1, FLOAT), shape])])]);
}

/** `inputs` and `outputs`: shapes by name, of 32-bit floats. */
export function writeOnnx({ nodes, initializers, inputs, outputs }) {
  const graph = [
    ...nodes.map((parts) => message(1, parts)),
    bytes(2, 'graph'),
    ...initializers.map((parts) => message(5, parts)),
    ...Object.entries(inputs).map((input) => valueInfo(11, input)),
    ...Object.entries(outputs).map((output) => valueInfo(12, output)),
  ];
  return Buffer.concat([
    number(1, IR_VERSION),
    bytes(2, 'colophon-tests'),
    message(7, graph),
    message(8, [bytes(1, ''), number(2, OPSET)]),
  ]);
}
