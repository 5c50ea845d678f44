/** Keys that edit the agenda: one command for the chosen item, or one undo step for all marked items. */
import type { KeyBinding } from './binding.ts'
import { chosenItem } from '../model/model.ts'
import {
  holdItem,
  moveItem,
  noItem,
  batchForSelection,
  outcomeOf,
  submitForItem,
} from '../model/key-outcomes.ts'
import { isSelecting } from '../update/marks.ts'

export const agendaKeys: readonly KeyBinding[] = [
  {
    id: 'item.hold',
    keys: ['p'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'hold the item, or release it',
    footer: 'hold/release',
    disabledReason: noItem,
    run: (model) => batchForSelection(model, 'hold') ?? holdItem(model),
  },
  {
    id: 'item.drop',
    meaning: 'remove',
    keys: ['x'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'drop it: it will not happen',
    footer: 'drop',
    disabledReason: noItem,
    run: (model) =>
      batchForSelection(model, 'drop') ??
      submitForItem(model, ({ id }) => ({
        command: { kind: 'agenda.drop', id },
        notice: 'dropped',
      })),
  },
  {
    id: 'item.duplicate',
    keys: ['d'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'duplicate it: it will happen twice',
    footer: 'duplicate',
    disabledReason: noItem,
    run: (model) =>
      batchForSelection(model, 'duplicate') ??
      submitForItem(model, ({ id }) => ({
        command: { kind: 'agenda.duplicate', id },
        notice: 'duplicated',
      })),
  },
  {
    id: 'item.delay',
    keys: ['t', 'T'],
    label: 't T',
    contexts: ['agenda'],
    group: 'agenda',
    title: 'delay it by 1 s, or by 10 s',
    titles: { t: 'delay the item by 1 s', T: 'delay the item by 10 s' },
    footer: 'delay',
    disabledReason: noItem,
    run: (model, { key }) =>
      batchForSelection(model, key === 't' ? 'delay-1s' : 'delay-10s') ??
      submitForItem(model, ({ id }) => ({
        command: { kind: 'agenda.delay', id, byMs: key === 't' ? 1000 : 10_000 },
        notice: `delayed by ${key === 't' ? '1 s' : '10 s'}:`,
      })),
  },
  {
    id: 'item.move',
    keys: ['J', 'K'],
    label: 'J K',
    contexts: ['agenda'],
    group: 'agenda',
    title: 'move it one place later, or earlier',
    titles: { J: 'move the item one place later', K: 'move the item one place earlier' },
    footer: 'reorder',
    disabledReason: noItem,
    run: (model, { key }) => {
      const way = key === 'J' ? 'later' : 'earlier'
      return batchForSelection(model, way) ?? moveItem(model, way)
    },
  },
  {
    id: 'item.edit',
    meaning: 'edit',
    keys: ['e'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'edit its payload in $EDITOR',
    footer: 'edit',
    disabledReason: noItem,
    run(model) {
      const item = chosenItem(model)
      if (!item) return {}
      const { id } = item
      return {
        messages: [{ kind: 'picked', id }],
        action: { kind: 'edit', of: { kind: 'item', id } },
      }
    },
  },
  {
    id: 'item.mark',
    meaning: 'mark',
    keys: ['m'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'mark it: keys act on all marked items',
    footer: 'mark',
    disabledReason: noItem,
    run: () => outcomeOf({ kind: 'marked' }),
  },
  {
    id: 'item.range',
    keys: ['v'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'a range from here to the cursor; esc ends',
    footer: 'range',
    disabledReason: noItem,
    run: () => outcomeOf({ kind: 'ranged' }),
  },
  {
    id: 'items.release',
    keys: ['P'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'release all that is held',
    disabledReason: noItem,
    run: () => ({ action: { kind: 'release-all' } }),
  },
  {
    id: 'agenda.background',
    meaning: 'background',
    keys: ['b'],
    contexts: ['agenda'],
    group: 'agenda',
    title: 'in pane 5: show polling loops, or hide',
    run: (model) =>
      isSelecting(model)
        ? outcomeOf({ kind: 'unmarked' }, { kind: 'background' })
        : outcomeOf({ kind: 'background' }),
  },
]
