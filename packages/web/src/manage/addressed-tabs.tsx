import { setQueryValue, useQueryValue } from '../shell/navigation.js';
import { type Tab, Tabs } from '../ui/tabs.js';

/** Tabs with addresses, such as `?tab=usage`, so that links and the Back button lead to a tab. */
export function AddressedTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <Tabs label={label} tabs={tabs} shown={useQueryValue('tab')} onShow={(id) => setQueryValue('tab', id)} />
  );
}
