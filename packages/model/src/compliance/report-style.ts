/** The style of the report. It uses no colour for meaning, so it prints in black and white. */
export const REPORT_STYLE = `
@page { size: A4; margin: 16mm 14mm; }
:root { color-scheme: light; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem; background: #fff; color: #111;
  font: 15px/1.45 system-ui, "Liberation Sans", Arial, sans-serif; }
h1 { margin: 0; font-size: 1.9rem; }
h2 { margin: 2rem 0 .6rem; padding-top: .5rem; border-top: 2px solid #111; font-size: 1.25rem; }
h3 { margin: 1.4rem 0 .3rem; font-size: 1.05rem; }
p, ul { margin: .4rem 0 .8rem; max-width: 46rem; }
ul { padding-left: 1.2rem; }
.subtitle { font-size: 1.1rem; }
dl { margin: .6rem 0; }
dl div { display: grid; grid-template-columns: 17rem 1fr; gap: 1rem; padding: .2rem 0; border-bottom: 1px solid #ccc; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: auto; min-width: 60%; margin: .8rem 0; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: .2rem 0; text-align: left; font-weight: 600; }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #ccc; text-align: left; vertical-align: top; }
thead th { border-bottom: 1.5px solid #111; }
tbody th { font-weight: 400; }
code, pre { font: .86em/1.4 ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere; }
td strong { overflow-wrap: anywhere; }
pre { padding: .6rem; border: 1px solid #777; white-space: pre-wrap; }
.side { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; align-items: start; }
.line { display: block; white-space: nowrap; }
.contents table { width: 100%; font-size: .88em; }
.contents td:nth-child(2) { width: 38%; }
.contents td:last-child { min-width: 12.5em; }
.side table { width: 100%; }
.notice { margin-top: 2rem; }
summary { width: fit-content; padding: .3rem 0; cursor: pointer; font-weight: 600; }
.measured { columns: 2 24rem; column-gap: 2rem; font-size: .8em; line-height: 1.3; }
.measured h3 { margin-top: .8rem; }
.measured p, .measured ul { margin: .2rem 0 .4rem; }
.measured table { width: 100%; margin: .4rem 0; }
.measured th, .measured td { padding: .1rem .4rem .1rem 0; }
.measured td { white-space: nowrap; }
.measured caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 40rem) {
  .side, dl div { grid-template-columns: 1fr; gap: .2rem; }
  .contents table, .contents caption, .contents tbody, .contents tr, .contents th, .contents td { display: block; width: auto !important; }
  .contents thead { display: none; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  tr, dl div, pre, li { break-inside: avoid; }
  h2, h3, h2 + p, caption { break-after: avoid; }
  thead { display: table-header-group; break-inside: avoid; break-after: avoid; }
  tbody tr:first-child { break-before: avoid; }
  .appendix { break-before: page; }
  summary { display: none; }
  details::details-content { display: block; block-size: auto; content-visibility: visible; }
  .measured { columns: 2; font-size: 7.5pt; }
}
`;
