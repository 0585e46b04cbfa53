import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/choice.js';
import { Menu } from '../../ui/menu.js';
import type { Choices, Filter } from '../history/filter.js';
import { titleOfKind } from '../history/marked-copies.js';

export function SearchField({
  found,
  onSearch,
  onShow,
}: {
  found: readonly number[];
  onSearch: (text: string) => void;
  onShow: (node: number) => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const next = (event: FormEvent) => {
    event.preventDefault();
    const place = at % Math.max(1, found.length);
    const node = found[place];
    setAt(place + 1);
    if (node !== undefined) onShow(node);
  };
  return (
    <form className="search" onSubmit={next}>
      <label htmlFor={id} className="unseen">
        {explore.search}
      </label>
      <div className="row tight">
        <input
          id={id}
          type="search"
          placeholder={explore.search}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
            onSearch(event.target.value);
          }}
        />
        <Button type="submit" disabled={found.length === 0}>
          {explore.next}
        </Button>
      </div>
      <span role="status" className="hint">
        {text.trim() === '' ? '' : explore.found(found.length, at)}
      </span>
    </form>
  );
}

export function Filters({
  choices,
  filter,
  onFilter,
  children,
}: {
  choices: Choices;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  children: ReactNode;
}) {
  const texts = explore.filters;
  const set = (field: keyof Filter) => (value: string) =>
    onFilter({ ...filter, [field]: value === '' ? undefined : value });
  const named = (any: string, list: readonly { id: string; name: string }[]) => [
    { value: '', text: any },
    ...list.map(({ id, name }) => ({ value: id, text: name })),
  ];
  const types = choices.types.map((type) => ({ value: type, text: titleOfKind(type) }));
  const inUse = Object.values(filter).filter((value) => value !== undefined).length;
  return (
    <Menu label={explore.filtersInUse(inUse)}>
      <Choice
        label={texts.entity}
        value={filter.entity ?? ''}
        options={named(texts.everybody, choices.entities)}
        onChoose={set('entity')}
      />
      <Choice
        label={texts.tool}
        value={filter.tool ?? ''}
        options={named(texts.anyTool, choices.tools)}
        onChoose={set('tool')}
      />
      <Choice
        label={texts.type}
        value={filter.type ?? ''}
        options={[{ value: '', text: texts.anyType }, ...types]}
        onChoose={set('type')}
      />
      {children}
    </Menu>
  );
}
