import { useState } from 'react';
import { manage } from '../strings/manage.js';
import { Field } from '../ui/field.js';
import { Form } from './parts.js';
import type { InProject } from './project-page.js';
import { MAX_REPORT_DAYS, moveDay, toReportPath, usualPeriod } from './report-period.js';

const { report: texts } = manage;

export function Report({ project }: Pick<InProject, 'project'>) {
  const [{ from, until, today }, setPeriod] = useState(() => {
    const { from: first, until: last } = usualPeriod(new Date());
    return { from: first, until: last, today: last };
  });
  const open = async () => {
    window.open(toReportPath(project.id, { from, until, today }), '_blank', 'noopener');
  };
  return (
    <section className="card narrow">
      <h2>{texts.title}</h2>
      <p>{texts.what}</p>
      <Form submit={texts.open} onSubmit={open}>
        <Field
          label={texts.from}
          hint={texts.days}
          type="date"
          required
          min={moveDay(until, 1 - MAX_REPORT_DAYS)}
          max={until}
          value={from}
          onChange={(event) => setPeriod({ from: event.target.value, until, today })}
        />
        <Field
          label={texts.until}
          type="date"
          required
          max={today}
          value={until}
          onChange={(event) => setPeriod({ from, until: event.target.value, today })}
        />
      </Form>
      <p className="hint">{texts.opens}</p>
    </section>
  );
}
