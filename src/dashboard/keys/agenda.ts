/** Keys that edit the future: each is one agenda command for the chosen item. */
import type { Binding } from '../binding.ts'
import { holdItem, moveItem, noItem, say, withItem } from '../outcomes.ts'

export const agendaKeys: readonly Binding[] = [
  {
    id: 'item.hold',
    keys: ['p'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'hold the item, or release it',
    footer: 'hold/release',
    disabled: noItem,
    does: holdItem,
  },
  {
    id: 'item.drop',
    keys: ['x'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'drop it: it will not happen',
    footer: 'drop',
    disabled: noItem,
    does: (model) =>
      withItem(model, ({ id }) => ({ command: { kind: 'agenda.drop', id }, told: 'dropped' })),
  },
  {
    id: 'item.duplicate',
    keys: ['d'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'duplicate it: it will happen twice',
    footer: 'duplicate',
    disabled: noItem,
    does: (model) =>
      withItem(model, ({ id }) => ({
        command: { kind: 'agenda.duplicate', id },
        told: 'duplicated',
      })),
  },
  {
    id: 'item.delay',
    keys: ['t', 'T'],
    label: 't T',
    contexts: ['agenda'],
    group: 'agenda',
    title: 'put it off by 1 s, or by 10 s',
    footer: 'delay',
    disabled: noItem,
    does: (model, { key }) =>
      withItem(model, ({ id }) => ({
        command: { kind: 'agenda.delay', id, byMs: key === 't' ? 1000 : 10_000 },
        told: `put off by ${key === 't' ? '1 s' : '10 s'}:`,
      })),
  },
  {
    id: 'item.move',
    keys: ['J', 'K'],
    label: 'J K',
    contexts: ['agenda'],
    group: 'agenda',
    title: 'move it one place later, or earlier',
    footer: 'reorder',
    disabled: noItem,
    does: (model, { key }) => moveItem(model, key === 'J' ? 'later' : 'earlier'),
  },
  {
    id: 'agenda.background',
    keys: ['b'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'show loops such as polling, or hide',
    does: () => say({ kind: 'background' }),
  },
]
