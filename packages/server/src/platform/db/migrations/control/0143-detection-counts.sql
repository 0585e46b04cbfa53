-- Findings of the public detector, by the project of the publication that it found.
create table control.detection_day (
  project_id uuid not null,
  -- In UTC.
  day        date not null,
  layer      text not null,
  confidence text not null,
  findings   bigint not null,
  primary key (project_id, day, layer, confidence)
);
