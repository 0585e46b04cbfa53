export {
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
  type PublishedMatchKind,
  sayManifest,
  sayPublished,
  sortLayers,
  sumUpDetection,
} from './detection-texts.js';
