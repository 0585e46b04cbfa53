import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

export interface Tab {
  id: string;
  name: string;
  content: ReactNode;
  /** The hidden content stays on the page, so its fields keep their input. */
  keepsInput?: boolean;
}

/** Arrow keys work as in the WAI-ARIA Authoring Practices. An unknown `shown` shows the first tab. */
export function Tabs({
  label,
  tabs,
  shown,
  onShow,
}: {
  label: string;
  tabs: readonly Tab[];
  shown: string | undefined;
  onShow: (id: string) => void;
}) {
  const id = useId();
  const chosen = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === shown),
  );
  const shownId = tabs[chosen]?.id ?? '';
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setSeen((before) => (before.has(shownId) ? before : new Set([...before, shownId])));
  }, [shownId]);
  const show = (index: number) => {
    const tab = tabs[index];
    if (tab !== undefined && index !== chosen) onShow(tab.id);
  };
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    const next = (chosen + step + tabs.length) % tabs.length;
    show(next);
    buttons.current[next]?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id: tabId, name }, index) => (
          <button
            key={tabId}
            ref={(element) => {
              buttons.current[index] = element;
            }}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={index === chosen ? `${id}-panel-${index}` : undefined}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => show(index)}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ id: tabId, content, keepsInput = false }, index) =>
        index === chosen || (keepsInput && seen.has(tabId)) ? (
          <div
            key={tabId}
            role="tabpanel"
            id={`${id}-panel-${index}`}
            aria-labelledby={`${id}-tab-${index}`}
            hidden={index !== chosen}
          >
            {content}
          </div>
        ) : null,
      )}
    </div>
  );
}
