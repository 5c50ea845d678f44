/** Keys for undo and redo, fork, and saving a scenario. */
import type { KeyBinding } from './binding.ts'
import { notChangeable, inThePast, outcomeOf, withoutSession } from '../model/key-outcomes.ts'
import { listContexts, paneContexts, paneContextsExceptRecording } from './contexts.ts'

const saveContexts = [...paneContexts, ...listContexts]

export const undoAndSaveKeys: readonly KeyBinding[] = [
  {
    id: 'undo',
    keys: ['z'],
    contexts: paneContextsExceptRecording,
    group: 'agenda',
    title: 'undo what was last done to it by hand',
    footer: 'undo',
    footerIn: ['agenda'],
    disabledReason: notChangeable,
    run: ({ stuck }) => ({ action: { kind: 'turn', way: 'undo', past: stuck } }),
  },
  {
    id: 'redo',
    keys: ['Z'],
    contexts: paneContextsExceptRecording,
    group: 'agenda',
    title: 'do again what was undone',
    disabledReason: notChangeable,
    run: ({ stuck }) => ({ action: { kind: 'turn', way: 'redo', past: stuck } }),
  },
  {
    id: 'past.fork',
    keys: ['ctrl-r'],
    contexts: paneContexts,
    group: 'time',
    title: 'in the past: go on from this fact',
    footer: 'go on from here',
    disabledReason: ({ at }) => (at === undefined ? 'this is now: , goes back' : undefined),
    run: () => outcomeOf({ kind: 'prompted', prompt: { kind: 'fork' } }),
  },
  {
    id: 'past.fork.confirm',
    keys: ['ctrl-r', 'enter', 'y'],
    contexts: ['fork'],
    group: 'time',
    title: 'yes, rewind and fork',
    run: ({ at }) =>
      at === undefined
        ? outcomeOf({ kind: 'answered' })
        : { messages: [{ kind: 'answered' }], action: { kind: 'fork', at } },
  },
  {
    id: 'save',
    keys: ['s'],
    contexts: saveContexts,
    group: 'chaos and verdicts',
    title: 'save what you did as a scenario',
    footer: 'save',
    footerIn: ['agenda'],
    disabledReason: (model) => withoutSession(model) ?? inThePast(model),
    run: () => outcomeOf({ kind: 'prompted', prompt: { kind: 'save', draft: '' } }),
  },
  {
    id: 'save.accept',
    keys: ['enter'],
    contexts: ['save'],
    group: 'chaos and verdicts',
    title: 'in the line of its name: write it',
    footer: 'write',
    disabledReason: ({ prompt }) =>
      prompt?.kind === 'save' ? nameProblem(prompt.draft.trim()) : undefined,
    run({ prompt }) {
      if (prompt?.kind !== 'save') return {}
      const name = prompt.draft.trim()
      return {
        messages: [{ kind: 'answered' }],
        action: { kind: 'save', name, overwrite: false },
      }
    },
  },
  {
    id: 'save.overwrite',
    keys: ['y'],
    contexts: ['overwrite'],
    group: 'chaos and verdicts',
    title: 'write over the one that is there',
    run({ prompt }) {
      if (prompt?.kind !== 'overwrite') return {}
      return {
        messages: [{ kind: 'answered' }],
        action: { kind: 'save', name: prompt.name, overwrite: true },
      }
    },
  },
  {
    id: 'edit.again',
    keys: ['e', 'enter'],
    contexts: ['mend'],
    group: 'agenda',
    title: 'edit again what would not do',
    run({ prompt }) {
      if (prompt?.kind !== 'mend') return {}
      const { of, text } = prompt
      return { messages: [{ kind: 'answered' }], action: { kind: 'edit', of, text } }
    },
  },
]

/** The name becomes a file name, so it must be valid on every system. */
function nameProblem(name: string): string | undefined {
  if (name === '') return 'type a name first'
  return /^[a-z0-9][a-z0-9._-]{0,79}$/i.test(name)
    ? undefined
    : 'a name has letters, digits, - _ and . alone, and begins with a letter or a digit'
}
