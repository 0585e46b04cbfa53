import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import './menu.css';

/** Escape and a click outside hide the controls. */
export function Menu({ label, children }: { label: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = ({ target }: PointerEvent) => {
      const menu = place.current;
      if (menu?.open && target instanceof Node && !menu.contains(target)) menu.open = false;
    };
    window.addEventListener('pointerdown', closeOutside);
    return () => window.removeEventListener('pointerdown', closeOutside);
  }, []);
  const press = (event: KeyboardEvent) => {
    const menu = place.current;
    if (event.key !== 'Escape' || !menu?.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  };
  return (
    <details className="menu" ref={place} onKeyDown={press}>
      <summary className="button">{label}</summary>
      <div className="menu-content card">{children}</div>
    </details>
  );
}
