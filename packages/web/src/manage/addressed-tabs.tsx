import { setQueryValue, useQueryValue } from '../shell/navigation.js';
import { type Tab, Tabs } from '../ui/tabs.js';

/** Links and Back lead to a tab, such as `?tab=usage`. */
export function AddressedTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <Tabs label={label} tabs={tabs} shown={useQueryValue('tab')} onShow={(id) => setQueryValue('tab', id)} />
  );
}
