/** Keys of a recording: open, search, seek, bookmark, compare, accept, edit, send alone, export, minimise. */
import { bindingsOf } from './binding.ts'
import type { KeyOutcome } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { answering, noTargetReason, outcomeOf } from '../model/key-outcomes.ts'
import { acceptComparators, comparedPair } from '../view/overlays/compare.ts'
import { activePlace, chosenPlace, playbackOf } from '../model/recording.ts'
import { openListTarget } from '../view/overlays/catalogue.ts'

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

/** Default export file: `lunch.rec.ndjson` becomes `lunch.har`. */
const defaultExportName = (recording: string): string => {
  const name = recording.split(/[/\\]/).at(-1) ?? recording
  return `${name.replace(/(?:\.rec)?\.ndjson(?:\.(?:zst|gz))?$/, '')}.har`
}

export const recordingKeys = bindingsOf({ group: 'recording', contexts: ['tape'] }, [
  {
    id: 'tape.open',
    meaning: 'open',
    keys: ['enter'],
    title: 'compare: recorded beside live',
    footer: 'compare',
    run: (model) => openCompare(chosenPlace(model)),
  },
  {
    id: 'tape.problem',
    meaning: 'next problem',
    keys: ['}', '{'],
    label: '} {',
    contexts: ['tape', 'beside'],
    title: 'next or previous divergence, or failure',
    titles: { '}': 'next divergence or failure', '{': 'previous divergence or failure' },
    footer: 'problem',
    run: (model, { key }) => ({
      action: {
        kind: 'next',
        from: activePlace(model),
        // Without a target nothing is played, and nothing diverges: then the failures are those of the recording.
        what: playbackOf(model)?.target === undefined ? 'fault' : 'trouble',
        direction: key === '}' ? 1 : -1,
      },
    }),
  },
  {
    id: 'tape.bookmark',
    changes: true,
    meaning: 'mark',
    keys: ['m'],
    contexts: ['tape', 'beside'],
    title: 'mark the exchange with a bookmark, or not',
    footer: 'mark',
    run: (model) => ({ action: { kind: 'bookmark', place: activePlace(model) } }),
  },
  {
    id: 'tape.bookmark.next',
    meaning: 'next mark',
    keys: ["'", '"'],
    label: `' "`,
    title: 'to the next or previous bookmark',
    titles: { "'": 'to the next bookmark', '"': 'to the previous bookmark' },
    run: (model, { key }) => ({
      action: {
        kind: 'next',
        from: chosenPlace(model),
        what: 'mark',
        direction: key === "'" ? 1 : -1,
      },
    }),
  },
  {
    id: 'beside.ignore',
    changes: true,
    keys: ['i'],
    contexts: ['beside'],
    title: 'in the comparison: accept the difference',
    footer: 'accept',
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
    changes: true,
    keys: acceptComparators.map(([key]) => key),
    label: 'i i/s/t…',
    contexts: ['ignore'],
    title: 'as what: ignored, shape …; a rule is kept',
    run: answering('ignore', ({ place, difference }, key) => {
      const compare = acceptComparators.find(([letter]) => letter === key)?.[1]
      return compare && { kind: 'accept', place, difference, compare }
    }),
  },
  {
    id: 'exchange.edit',
    changes: true,
    meaning: 'edit',
    keys: ['e'],
    contexts: ['tape', 'beside'],
    title: 'edit it in $EDITOR before it is played',
    footer: 'edit',
    disabledReason: noTarget,
    run: (model) => ({
      action: { kind: 'edit', of: { kind: 'exchange', place: activePlace(model) } },
    }),
  },
  {
    id: 'exchange.alone',
    changes: true,
    meaning: 'send again',
    keys: ['R'],
    contexts: ['tape', 'beside'],
    title: 'send it alone, now, as often as you like',
    footer: 'send alone',
    disabledReason: noTarget,
    run: (model) => ({ action: { kind: 'send-alone', place: activePlace(model) } }),
  },
  {
    id: 'tape.export',
    keys: ['E'],
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
    title: 'after E and a name: write it',
    footer: 'write',
    disabledReason: ({ prompt }) =>
      prompt?.kind === 'export' && prompt.draft.trim() === '' ? 'type a name first' : undefined,
    run: answering('export', ({ draft }) => ({ kind: 'export', file: draft.trim() })),
  },
  {
    id: 'tape.minimise',
    changes: true,
    keys: ['M'],
    title: 'minimise: the few that still fail alike',
    footer: 'minimise',
    disabledReason: (model) =>
      playbackOf(model)?.target === undefined
        ? 'minimising needs a target: open it with --to <url of your service>'
        : undefined,
    run: (model) => ({
      messages: [
        { kind: 'notice', notice: { text: 'minimising: this takes a while', tone: 'info' } },
      ],
      action: { kind: 'minimise', place: activePlace(model) },
    }),
  },
])
