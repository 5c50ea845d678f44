/** Keys that edit the agenda: the chosen item, or all marked items as one undo step. */
import { bindingsOf } from './binding.ts'
import { chosenItem } from '../model/model.ts'
import { editItems, noItem, outcomeOf } from '../model/key-outcomes.ts'
import { isSelecting } from '../update/marks.ts'

const shared = { group: 'agenda', contexts: ['agenda'], disabledReason: noItem } as const

export const agendaKeys = bindingsOf(shared, [
  {
    id: 'item.hold',
    changes: true,
    keys: ['p'],
    title: 'hold the item, or release it',
    footer: 'hold/release',
    run: (model) => editItems(model, 'hold'),
  },
  {
    id: 'item.drop',
    changes: true,
    meaning: 'remove',
    keys: ['x'],
    title: 'drop it: it will not happen',
    footer: 'drop',
    run: (model) => editItems(model, 'drop'),
  },
  {
    id: 'item.duplicate',
    changes: true,
    keys: ['d'],
    title: 'duplicate it: it will happen twice',
    footer: 'duplicate',
    run: (model) => editItems(model, 'duplicate'),
  },
  {
    id: 'item.delay',
    changes: true,
    keys: ['t', 'T'],
    label: 't T',
    title: 'delay it by 1 s, or by 10 s',
    titles: { t: 'delay the item by 1 s', T: 'delay the item by 10 s' },
    footer: 'delay',
    run: (model, { key }) => editItems(model, key === 't' ? 'delay-1s' : 'delay-10s'),
  },
  {
    id: 'item.move',
    changes: true,
    keys: ['J', 'K'],
    label: 'J K',
    title: 'move it one place later, or earlier',
    titles: { J: 'move the item one place later', K: 'move the item one place earlier' },
    footer: 'reorder',
    run: (model, { key }) => editItems(model, key === 'J' ? 'later' : 'earlier'),
  },
  {
    id: 'item.edit',
    changes: true,
    meaning: 'edit',
    keys: ['e'],
    title: 'edit its payload in $EDITOR',
    footer: 'edit',
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
    title: 'mark it: keys act on all marked items',
    footer: 'mark',
    run: () => outcomeOf({ kind: 'marked' }),
  },
  {
    id: 'item.range',
    keys: ['v'],
    title: 'a range from here to the cursor; esc ends',
    footer: 'range',
    run: () => outcomeOf({ kind: 'ranged' }),
  },
  {
    id: 'items.release',
    changes: true,
    keys: ['P'],
    title: 'release all that is held',
    run: () => ({ action: { kind: 'release-all' } }),
  },
  {
    id: 'agenda.background',
    meaning: 'background',
    keys: ['b'],
    title: 'in pane 5: show polling loops, or hide',
    disabledReason: () => undefined,
    run: (model) =>
      isSelecting(model)
        ? outcomeOf({ kind: 'unmarked' }, { kind: 'background' })
        : outcomeOf({ kind: 'background' }),
  },
])
