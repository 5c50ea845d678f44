/** Keys for undo and redo, fork, and saving a scenario. */
import { bindingsOf, type KeyContext, listContexts, paneContexts } from './binding.ts'
import type { KeyOutcome } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { activePlace, playbackOf } from '../model/recording.ts'
import { answered, answering, noAction, notChangeable, outcomeOf } from '../model/key-outcomes.ts'

const saveContexts = [...paneContexts, ...listContexts]
const editContexts: readonly KeyContext[] = [...paneContexts, 'beside']

/** In a replay the edits of exchanges come first, and those of the agenda after them. */
const turnEdit = (model: Model, direction: 'undo' | 'redo'): KeyOutcome => ({
  action: { kind: playbackOf(model) ? 'turn-edit' : 'turn', direction, past: model.stuck },
})

export const undoAndSaveKeys = bindingsOf({ group: 'agenda', contexts: editContexts }, [
  {
    id: 'undo',
    changes: true,
    keys: ['z'],
    title: 'undo the last edit made by hand',
    footer: 'undo',
    footerIn: ['agenda'],
    disabledReason: notChangeable,
    run: (model) => turnEdit(model, 'undo'),
  },
  {
    id: 'redo',
    changes: true,
    keys: ['Z'],
    title: 'redo what was undone',
    disabledReason: notChangeable,
    run: (model) => turnEdit(model, 'redo'),
  },
  {
    id: 'past.fork',
    changes: true,
    keys: ['C'],
    group: 'time',
    title: 'go on from here: an entry, an exchange',
    footer: 'go on from here',
    footerIn: ['tape', 'beside'],
    disabledReason: (model) =>
      playbackOf(model)
        ? notChangeable(model)
        : model.at === undefined
          ? 'this is now: , goes back'
          : undefined,
    run: (model) =>
      playbackOf(model)
        ? { action: { kind: 'go-on', place: activePlace(model) } }
        : outcomeOf({ kind: 'prompted', prompt: { kind: 'fork' } }),
  },
  {
    id: 'past.fork.confirm',
    changes: true,
    keys: ['y', 'enter'],
    label: 'C y',
    contexts: ['fork'],
    group: 'time',
    title: 'yes, rewind and fork',
    run: ({ at }) =>
      at === undefined ? outcomeOf({ kind: 'answered' }) : answered({ kind: 'fork', at }),
  },
  {
    id: 'save',
    keys: ['s'],
    contexts: saveContexts,
    group: 'chaos and verdicts',
    title: 'save what you did as a scenario',
    footer: 'save',
    footerIn: ['agenda'],
    disabledReason: noAction,
    run: () => outcomeOf({ kind: 'prompted', prompt: { kind: 'save', draft: '', quits: false } }),
  },
  {
    id: 'save.accept',
    keys: ['enter'],
    contexts: ['save'],
    group: 'chaos and verdicts',
    title: 'after s and a name: write it',
    footer: 'write',
    disabledReason: ({ prompt }) =>
      prompt?.kind === 'save' ? nameProblem(prompt.draft.trim()) : undefined,
    run: answering('save', ({ draft, quits }) => ({
      kind: 'save',
      name: draft.trim(),
      overwrite: false,
      quits,
    })),
  },
  {
    id: 'save.overwrite',
    keys: ['y'],
    contexts: ['overwrite'],
    group: 'chaos and verdicts',
    title: 'write over the one that is there',
    run: answering('overwrite', ({ name, quits }) => ({
      kind: 'save',
      name,
      overwrite: true,
      quits,
    })),
  },
  {
    id: 'edit.again',
    changes: true,
    keys: ['e', 'enter'],
    contexts: ['mend'],
    title: 'edit again what would not do',
    run: answering('mend', ({ of, text }) => ({ kind: 'edit', of, text })),
  },
])

/** The name becomes a file name, so it must be valid on every system. */
function nameProblem(name: string): string | undefined {
  if (name === '') return 'type a name first'
  return /^[a-z0-9][a-z0-9._-]{0,79}$/i.test(name)
    ? undefined
    : 'a name has letters, digits, - _ and . alone, and begins with a letter or a digit'
}
