export {
  CHECK_CODES,
  type CheckCode,
  type Detection,
  type DetectionCheck,
  type DetectionFacts,
  type DetectionLayer,
  type DetectionReport,
  type DetectorState,
  detectionSchema,
  detectorStateSchema,
} from './detection.js';
export {
  DETECTION_TYPE,
  type DetectionVerdict,
  signDetection,
  verifyDetection,
} from './detection-report.js';
export {
  explainConfidence,
  isAboutOtherFile,
  type ManifestFound,
  type PublishedFound,
  type PublishedMatchKind,
  readFindingCode,
  readMatch,
  sayManifest,
  sayPublished,
  sortLayers,
  sumUpDetection,
  toFindingCode,
} from './detection-texts.js';
