/** Keys that create an order, move it through its lifecycle, pin it, or show it alone. */
import { bindingsOf } from './binding.ts'
import {
  inThePast,
  applyMove,
  createOrderOfProfile,
  nothingChosen,
  noMoves,
  noNewOrder,
  noOrder,
  outcomeOf,
} from '../model/key-outcomes.ts'
import { digitKeys, paneContextsExceptRecording, paneContexts } from './contexts.ts'

export const orderKeys = bindingsOf({ group: 'orders', contexts: paneContexts }, [
  {
    id: 'order.new',
    keys: ['N'],
    title: 'make a new order',
    footer: 'new order',
    disabledReason: noNewOrder,
    run: () => outcomeOf({ kind: 'prompted', prompt: { kind: 'new-order' } }),
  },
  {
    id: 'order.profile',
    keys: ['d', 't', 'i', 'enter', 'N'],
    label: 'N d/t/i',
    contexts: ['new-order'],
    title: 'delivery, takeout, indoor; enter: any',
    run: (_, press) => createOrderOfProfile(press),
  },
  {
    id: 'order.write',
    keys: ['e'],
    contexts: ['new-order'],
    title: 'after N: write it in $EDITOR',
    disabledReason: ({ seen }) =>
      seen?.order ? undefined : 'choose an order first: it is the model',
    run: ({ seen }) => ({
      messages: [{ kind: 'answered' }],
      action: { kind: 'edit', of: { kind: 'order', like: seen?.order?.document } },
    }),
  },
  {
    id: 'order.pin',
    meaning: 'mark',
    keys: ['m'],
    contexts: ['orders', 'order'],
    title: 'mark it: it stays on top of pane 3',
    footer: 'mark',
    disabledReason: noOrder,
    run: () => outcomeOf({ kind: 'pinned' }),
  },
  {
    id: 'order.pin.next',
    meaning: 'next mark',
    keys: ["'", '"'],
    label: `' "`,
    contexts: paneContextsExceptRecording,
    title: 'to the next or previous marked order',
    titles: { "'": 'to the next marked order', '"': 'to the previous marked order' },
    disabledReason: ({ pinned }) =>
      pinned.length > 0 ? undefined : 'no order is marked: m marks one',
    run: (_, { key }) => outcomeOf({ kind: 'pin-visited', by: key === "'" ? 1 : -1 }),
  },
  {
    id: 'order.move',
    keys: ['>'],
    title: 'a valid transition: then its digit',
    footer: 'move',
    disabledReason: noMoves,
    run: () => outcomeOf({ kind: 'prompted', prompt: { kind: 'move' } }),
  },
  {
    id: 'order.move.digit',
    keys: digitKeys,
    label: '> 1-9',
    contexts: ['move'],
    title: 'the transition itself',
    disabledReason: noMoves,
    run: (model, press) => applyMove(model, press, 'move'),
  },
  {
    id: 'order.force',
    keys: ['!'],
    title: 'force an invalid one: then its digit',
    footer: 'force',
    disabledReason: (model) => inThePast(model) ?? nothingChosen(model),
    run: () => outcomeOf({ kind: 'prompted', prompt: { kind: 'force' } }),
  },
  {
    id: 'order.force.digit',
    keys: digitKeys,
    label: '! 1-9',
    contexts: ['force'],
    title: 'the forced transition itself',
    run: (model, press) => applyMove(model, press, 'force'),
  },
  {
    id: 'order.only',
    keys: ['o'],
    title: 'only this order everywhere, or all',
    footer: 'only',
    disabledReason: noOrder,
    run: () => outcomeOf({ kind: 'narrowed' }),
  },
])
