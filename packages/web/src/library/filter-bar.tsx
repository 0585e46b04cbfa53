import type { Entity } from '@colophon/model';
import { useState } from 'react';
import { aiLevels } from '../strings/ai-levels.js';
import { explore } from '../strings/explore.js';
import { library } from '../strings/library.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { AI_FILTERS, type LibraryFilters, NO_FILTERS, toAddressQuery } from './filters.js';
import { SearchBox } from './search-box.js';

export interface FilterBarProps {
  filters: LibraryFilters;
  people: readonly Pick<Entity, 'id' | 'name'>[];
  tools: readonly string[];
  onChange: (part: Partial<LibraryFilters>) => void;
}

export function FilterBar({ filters, people, tools, onChange }: FilterBarProps) {
  // A new React key drops a search that still waits for a pause in typing.
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    setCleared(cleared + 1);
    onChange(NO_FILTERS);
  };
  return (
    <search className="library-filters" aria-label={library.filters}>
      <SearchBox key={cleared} value={filters.title} onSearch={(title) => onChange({ title })} />
      <Choice
        label={library.ai}
        options={[
          { value: '', text: library.anyAi },
          ...AI_FILTERS.map((value) => ({
            value,
            // The filter does not cover the sources, so its name does not say that the file was made without AI.
            text: value === 'human' ? library.lastStepWithoutAi : aiLevels[value],
          })),
        ]}
        value={filters.ai}
        onChoose={(ai) => onChange({ ai })}
      />
      <Choice
        label={library.type}
        options={withChosen(
          { value: '', text: library.anyType },
          Object.entries(explore.resourceTypes).map(([value, text]) => ({ value, text })),
          filters.type,
        )}
        value={filters.type}
        onChoose={(type) => onChange({ type })}
      />
      <Choice
        label={library.person}
        options={withChosen(
          { value: '', text: library.everybody },
          people.map(({ id, name }) => ({ value: id, text: name ?? id })),
          filters.maker,
        )}
        value={filters.maker}
        onChoose={(maker) => onChange({ maker })}
      />
      <Choice
        label={library.tool}
        options={withChosen(
          { value: '', text: library.anyTool },
          tools.map((tool) => ({ value: tool, text: tool })),
          filters.tool,
        )}
        value={filters.tool}
        onChoose={(tool) => onChange({ tool })}
      />
      <Days filters={filters} onChange={onChange} />
      {toAddressQuery(filters) === '' ? null : (
        <Button className="clear" onClick={clear}>
          {library.clear}
        </Button>
      )}
    </search>
  );
}

function Days({ filters: { from, to }, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>) {
  return (
    <>
      <Field
        label={library.from}
        type="date"
        value={from}
        max={to === '' ? undefined : to}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <Field
        label={library.to}
        type="date"
        value={to}
        min={from === '' ? undefined : from}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  );
}

interface Option {
  value: string;
  text: string;
}

/** An address can contain any value. */
function withChosen(first: Option, options: readonly Option[], chosen: string): Option[] {
  const isKnown = chosen === '' || options.some(({ value }) => value === chosen);
  return [first, ...options, ...(isKnown ? [] : [{ value: chosen, text: chosen }])];
}
