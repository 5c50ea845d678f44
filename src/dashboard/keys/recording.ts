/** Keys of a recording: open, search, seek, bookmark, compare, accept, edit, send alone, export, minimise. */
import type { KeyBinding } from './binding.ts'
import type { KeyOutcome } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { noRecording, notChangeable, noTargetReason, outcomeOf } from '../model/key-outcomes.ts'
import { acceptComparators, comparedPair } from '../view/overlays/compare.ts'
import { openListTarget } from '../view/overlays/open.ts'
import { parseSeek } from './seek-line.ts'
import { chosenPlace, playbackOf } from '../model/recording.ts'
import { paneContexts } from './contexts.ts'

/** Place of the exchange that keys act on: the open one, or the chosen one. */
const activePlace = (model: Model): number =>
  model.overlay?.kind === 'beside' ? model.overlay.place : chosenPlace(model)

function chosenDifference(model: Model) {
  const target = openListTarget(model)
  if (target?.kind !== 'difference') return undefined
  return comparedPair(model, activePlace(model))?.differences[target.index]
}

const noDifference = (model: Model): string | undefined => {
  const difference = chosenDifference(model)
  if (!difference) return 'there is no difference to accept'
  return difference.accepted ? 'a rule accepts it already' : undefined
}

const noTarget = (model: Model): string | undefined =>
  playbackOf(model)?.target === undefined ? noTargetReason : undefined

const openCompare = (place: number): KeyOutcome =>
  outcomeOf({ kind: 'listed', overlay: { kind: 'beside', place, chosen: undefined, top: 0 } })

/** Opens the adjacent exchange. */
function openNeighbour(model: Model, by: 1 | -1): KeyOutcome {
  const place = activePlace(model) + by
  const total = playbackOf(model)?.total ?? 0
  return place < 0 || place >= total ? {} : openCompare(place)
}

/** Default export file: `lunch.rec.ndjson` becomes `lunch.har`. */
const defaultExportName = (recording: string): string => {
  const name = recording.split(/[/\\]/).at(-1) ?? recording
  return `${name.replace(/(?:\.rec)?\.ndjson(?:\.(?:zst|gz))?$/, '')}.har`
}

export const recordingKeys: readonly KeyBinding[] = [
  {
    id: 'tape.open',
    keys: ['enter'],
    contexts: ['tape'],
    group: 'recording',
    title: 'what was, beside what is now',
    footer: 'beside',
    run: (model) => openCompare(chosenPlace(model)),
  },
  {
    id: 'tape.next',
    keys: [']', '['],
    label: '] [',
    contexts: ['tape', 'beside'],
    group: 'recording',
    title: 'next or previous divergence',
    footer: 'divergence',
    run: (model, { key }) => ({
      action: {
        kind: 'next',
        from: activePlace(model),
        what: 'trouble',
        way: key === ']' ? 1 : -1,
      },
    }),
  },
  {
    id: 'tape.fault',
    keys: ['}', '{'],
    label: '} {',
    contexts: ['tape'],
    group: 'recording',
    title: 'next or previous recorded failure',
    run: (model, { key }) => ({
      action: { kind: 'next', from: chosenPlace(model), what: 'fault', way: key === '}' ? 1 : -1 },
    }),
  },
  {
    id: 'tape.seek',
    keys: [':'],
    contexts: paneContexts,
    group: 'recording',
    title: 'go to a number, +90s, or 12:03',
    footer: 'go to',
    footerIn: ['tape'],
    disabledReason: noRecording,
    run: () =>
      outcomeOf({ kind: 'prompted', prompt: { kind: 'seek', draft: '', problem: undefined } }),
  },
  {
    id: 'tape.seek.accept',
    keys: ['enter'],
    contexts: ['seek'],
    group: 'recording',
    title: 'in that line: go there; nothing is sent',
    footer: 'go',
    disabledReason: ({ prompt }) =>
      prompt?.kind === 'seek' && prompt.draft.trim() !== '' ? prompt.problem : 'type a place first',
    run({ prompt }) {
      const to = prompt?.kind === 'seek' ? parseSeek(prompt.draft) : undefined
      if (!to?.ok) return {}
      return { messages: [{ kind: 'answered' }], action: { kind: 'seek', to: to.value } }
    },
  },
  {
    id: 'tape.bookmark',
    keys: ['b'],
    contexts: ['tape', 'beside'],
    group: 'recording',
    title: 'bookmark the exchange, or no longer',
    footer: 'bookmark',
    run: (model) => ({ action: { kind: 'bookmark', place: activePlace(model) } }),
  },
  {
    id: 'tape.bookmark.next',
    keys: ["'", '"'],
    label: `' "`,
    contexts: ['tape'],
    group: 'recording',
    title: 'next or previous bookmark',
    run: (model, { key }) => ({
      action: { kind: 'next', from: chosenPlace(model), what: 'mark', way: key === "'" ? 1 : -1 },
    }),
  },
  {
    id: 'beside.neighbour',
    keys: ['.', ','],
    label: '. ,',
    contexts: ['beside'],
    group: 'recording',
    title: 'beside: the next or previous exchange',
    footer: 'next',
    run: (model, { key }) => openNeighbour(model, key === '.' ? 1 : -1),
  },
  {
    id: 'beside.ignore',
    keys: ['i'],
    contexts: ['beside'],
    group: 'recording',
    title: 'beside: accept the difference as …',
    footer: 'ignore as',
    disabledReason: noDifference,
    run(model) {
      const difference = chosenDifference(model)
      if (!difference) return {}
      const place = activePlace(model)
      return outcomeOf({ kind: 'prompted', prompt: { kind: 'ignore', place, difference } })
    },
  },
  {
    id: 'beside.ignore.as',
    keys: acceptComparators.map(([key]) => key),
    label: 'i i/s/t…',
    contexts: ['ignore'],
    group: 'recording',
    title: 'by which comparison; a rule is kept',
    run({ prompt }, { key }) {
      const compare = acceptComparators.find(([letter]) => letter === key)?.[1]
      if (prompt?.kind !== 'ignore' || !compare) return {}
      const { place, difference } = prompt
      return {
        messages: [{ kind: 'answered' }],
        action: { kind: 'accept', place, difference, compare },
      }
    },
  },
  {
    id: 'exchange.edit',
    keys: ['e'],
    contexts: ['tape', 'beside'],
    group: 'recording',
    title: 'edit it in $EDITOR before it is played',
    footer: 'edit',
    disabledReason: noTarget,
    run: (model) => ({
      action: { kind: 'edit', of: { kind: 'exchange', place: activePlace(model) } },
    }),
  },
  {
    id: 'exchange.alone',
    keys: ['S'],
    contexts: ['tape', 'beside'],
    group: 'recording',
    title: 'send it alone, now, also once more',
    footer: 'send alone',
    disabledReason: noTarget,
    run: (model) => ({ action: { kind: 'send-alone', place: activePlace(model) } }),
  },
  {
    id: 'exchange.go-on',
    keys: ['C'],
    contexts: ['tape', 'beside'],
    group: 'recording',
    title: 'go on from it: leave out what is before',
    footer: 'go on from it',
    disabledReason: notChangeable,
    run: (model) => ({ action: { kind: 'go-on', place: activePlace(model) } }),
  },
  {
    id: 'exchange.undo',
    keys: ['z', 'Z'],
    label: 'z Z',
    contexts: ['tape', 'beside'],
    group: 'recording',
    title: 'undo the last edit, or do it again',
    disabledReason: notChangeable,
    run: ({ stuck }, { key }) => ({
      action: { kind: 'turn-edit', way: key === 'z' ? 'undo' : 'redo', past: stuck },
    }),
  },
  {
    id: 'tape.export',
    keys: ['x'],
    contexts: ['tape'],
    group: 'recording',
    title: 'export it: .har .sh .yaml .test.ts',
    footer: 'export',
    run: (model) =>
      outcomeOf({
        kind: 'prompted',
        prompt: { kind: 'export', draft: defaultExportName(playbackOf(model)?.recording ?? '') },
      }),
  },
  {
    id: 'tape.export.accept',
    keys: ['enter'],
    contexts: ['export'],
    group: 'recording',
    title: 'in the line of its name: write it',
    footer: 'write',
    disabledReason: ({ prompt }) =>
      prompt?.kind === 'export' && prompt.draft.trim() === '' ? 'type a name first' : undefined,
    run({ prompt }) {
      if (prompt?.kind !== 'export') return {}
      return {
        messages: [{ kind: 'answered' }],
        action: { kind: 'export', file: prompt.draft.trim() },
      }
    },
  },
  {
    id: 'tape.minimise',
    keys: ['M'],
    contexts: ['tape'],
    group: 'recording',
    title: 'minimise: the few that still fail alike',
    footer: 'minimise',
    disabledReason: (model) =>
      playbackOf(model)?.target === undefined
        ? 'minimising needs a target: open it with --to <url of your service>'
        : undefined,
    run: (model) => ({
      messages: [
        { kind: 'told', notice: { text: 'minimising: this takes a while', tone: 'info' } },
      ],
      action: { kind: 'minimise', place: activePlace(model) },
    }),
  },
]
