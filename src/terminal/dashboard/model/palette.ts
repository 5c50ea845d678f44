/** The palette: the rows that its text matches, best first, and the places that it goes to. */
import type { SeekTarget } from '../../../core/session-api/playback.ts'
import { fuzzyMatch } from './fuzzy.ts'
import type { KeyOutcome } from './message.ts'
import type { Model } from './model.ts'
import type { PaletteRow } from './overlay.ts'
import { playbackOf } from './recording.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'

export interface PaletteMatch {
  readonly row: PaletteRow
  /** Indices of the matched characters of the title. */
  readonly positions: readonly number[]
}

/** Where a text goes to: `#12`, `+90s`, `12:03`; undefined when it names no place. */
function seekTargetOf(draft: string): SeekTarget | undefined {
  const place = parseSeek(draft)
  return place.ok ? place.value : undefined
}

/** Why a text that begins like a place is none. */
export function seekProblemOf(draft: string): string | undefined {
  const text = draft.trim()
  if (!/^[#+]?\d/.test(text)) return undefined
  const place = parseSeek(text)
  return place.ok ? undefined : place.error
}

/** The rows that fit; those that can be done come first among equals. */
export function matchPalette(
  model: Model,
  rows: readonly PaletteRow[],
  draft: string,
): readonly PaletteMatch[] {
  const places = placeRows(model, draft).map((row) => ({ row, positions: [] }))
  const actions = rows
    .flatMap((row, index) => {
      const match = fuzzyMatch(draft, row.title)
      const score = (match?.score ?? 0) - (row.reason === undefined ? 0 : 5)
      return match ? [{ row, positions: match.positions, score, index }] : []
    })
    .toSorted((one, other) => other.score - one.score || one.index - other.index)
  return [...places, ...actions]
}

const goId = 'go to'
const factId = 'fact'

/** Places that the text names, before the actions. */
function placeRows(model: Model, draft: string): readonly PaletteRow[] {
  const to = seekTargetOf(draft)
  if (!to) return []
  const text = draft.trim()
  if (playbackOf(model))
    return [{ id: `${goId} ${text}`, title: `go to ${text} of the recording`, keys: '' }]
  if (to.kind !== 'seq')
    return [
      {
        id: `${goId} ${text}`,
        title: `go to ${text}`,
        keys: '',
        reason: 'times are for recordings; here , and . go through the journal',
      },
    ]
  const { exchanges = 0, facts = 0 } = model.snapshot?.info.counts ?? {}
  const upTo = (last: number, what: string) =>
    to.seq >= 1 && to.seq <= last ? {} : { reason: `the last ${what} is ${last}` }
  return [
    {
      id: `${goId} #${to.seq}`,
      title: `go to exchange #${to.seq}`,
      keys: '',
      ...upTo(exchanges, 'exchange'),
    },
    {
      id: `${factId} ${to.seq}`,
      title: `back in time: to entry ${to.seq}`,
      keys: ',',
      ...upTo(facts, 'entry'),
    },
  ]
}

/** What a row of `placeRows` does; undefined for any other. */
export function placeOutcome(
  id: string,
  model: Model,
): (PaletteRow & { readonly run: () => KeyOutcome }) | undefined {
  const draft = id.startsWith(`${goId} `)
    ? id.slice(goId.length + 1)
    : id.startsWith(`${factId} `)
      ? id.slice(factId.length + 1)
      : undefined
  const to = draft === undefined ? undefined : seekTargetOf(draft)
  const row =
    draft === undefined ? undefined : placeRows(model, draft).find((each) => each.id === id)
  if (!to || !row) return undefined
  return {
    ...row,
    run() {
      if (playbackOf(model)) return { action: { kind: 'seek', to } }
      if (to.kind !== 'seq') return {}
      const { seq } = to
      return {
        messages: [id.startsWith(factId) ? { kind: 'fact-shown', seq } : { kind: 'jumped', seq }],
      }
    },
  }
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function parseSeek(text: string): Result<SeekTarget, string> {
  const line = text.trim()
  const number = /^#?(\d{1,15})$/.exec(line)
  if (number) return ok({ kind: 'seq', seq: Number(number[1]) })
  const after = /^\+(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(line)
  if (after) return ok({ kind: 'after', ms: Number(after[1]) * (unitMs[after[2] ?? ''] ?? 0) })
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d{1,3})?))?$/.exec(line)
  if (clock) {
    const [, hours, minutes, seconds = '0'] = clock
    return ok({
      kind: 'clock',
      ms: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
    })
  }
  const at = /^\d{4}-\d\d-\d\dT/.test(line) ? Date.parse(line) : Number.NaN
  if (!Number.isNaN(at)) return ok({ kind: 'time', at })
  return err('a number, +90s, 12:03:10, or an instant such as 2026-11-22T12:03:10Z')
}
