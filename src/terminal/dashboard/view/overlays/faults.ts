/** Fault overlay: active faults with their hit counts, expired ones, and all that can be added. */
import { faultCatalogue } from '../../../../core/faults/catalogue.ts'
import { faultProfiles } from '../../../../core/faults/profiles.ts'
import type { FaultRow } from '../../../../core/session-api/session-api.ts'
import { columnSpans, emptyRow, row, span } from '../text/row.ts'
import { wordWrap } from '../text/cells.ts'
import { ageText } from '../text/time.ts'
import { headingLine, listLine, type ListLine, type ListInput } from './listing.ts'

/** Maximum number of expired faults shown, the latest ones. */
const maxExpiredFaults = 20

export function faultLines(input: ListInput): readonly ListLine[] {
  const rows = input.model.snapshot?.faults ?? []
  const active = rows.filter(({ over }) => over === undefined)
  const over = rows.filter(({ over: end }) => end !== undefined)
  const shown = over.slice(-maxExpiredFaults).toReversed()
  return [
    headingLine('Active', active.length > 0 ? 'enter changes, x disables, 0 disables all' : ''),
    ...(active.length === 0 ? [mutedLine('No fault is active.')] : active.map(faultLine(input))),
    listLine(emptyRow),
    ...(over.length === 0
      ? []
      : [
          headingLine('Ended', over.length > shown.length ? `the last ${shown.length}` : ''),
          ...shown.map(faultLine(input)),
          listLine(emptyRow),
        ]),
    ...addableLines(input),
  ]
}

const mutedLine = (text: string): ListLine => listLine(row(span(` ${text}`, 'muted')))

const faultLine =
  ({ width, model, glyphs }: ListInput) =>
  (fault: FaultRow): ListLine => {
    const { id, text, legal, fired, limit, over } = fault
    const count = `${fired}${limit === undefined ? '' : ` of ${limit}`}`
    const now = model.snapshot?.info.clock.now ?? fault.since
    const spans = columnSpans(width - 1, [
      {
        text: over === undefined ? glyphs.now : glyphs.open,
        width: 1,
        tone: over ? 'muted' : 'warn',
      },
      { text: String(id), width: 3, align: 'right', tone: 'muted' },
      { text, tone: over === undefined ? 'plain' : 'muted' },
      { text: `fired ${count}`, width: 14, tone: fired > 0 ? 'accent' : 'muted' },
      { text: legal ? 'conformant' : 'robustness', width: 10, tone: legal ? 'muted' : 'info' },
      { text: over ?? leftText(fault, now), width: 10, tone: 'muted' },
    ])
    return listLine({ spans }, { kind: 'fault', fault })
  }

function leftText({ forMs, since }: FaultRow, now: number): string {
  if (forMs === undefined) return ''
  return `${ageText(Math.max(0, since + forMs - now))} left`
}

function addableLines({ width }: ListInput): readonly ListLine[] {
  const names = [...faultCatalogue.map(({ name }) => name), ...Object.keys(faultProfiles)]
  const nameWidth = Math.min(28, Math.max(8, ...names.map((name) => name.length)))
  const codeWidth = Math.max(...faultCatalogue.map(({ code }) => code.length))
  const room = Math.max(12, width - 1 - nameWidth - codeWidth - 2)
  const entry = (
    name: string,
    summary: string,
    code: string,
    isProfile: boolean,
  ): readonly ListLine[] =>
    wordWrap(summary, room).map((text, index): ListLine => {
      const isFirst = index === 0
      const spans = columnSpans(width - 1, [
        { text: isFirst ? name : '', width: nameWidth, tone: 'accent' },
        { text: isFirst ? code : '', width: codeWidth, tone: 'muted' },
        { text },
      ])
      return isFirst
        ? listLine({ spans }, { kind: 'addable', name, isProfile })
        : listLine({ spans: [span(' '), ...spans] })
    })
  const profileEntries = Object.entries(faultProfiles)
  return [
    headingLine('Faults', 'enter opens the form of one'),
    ...faultCatalogue.flatMap(({ name, summary, code }) => entry(name, summary, code, false)),
    ...(profileEntries.length === 0
      ? []
      : [
          listLine(emptyRow),
          headingLine('Profiles', 'several faults that come together'),
          ...profileEntries.flatMap(([name, { summary }]) => entry(name, summary, '', true)),
        ]),
  ]
}
