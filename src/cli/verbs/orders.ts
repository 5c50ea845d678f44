/** `sparring orders`: lists, shows, creates, moves and cancels the orders of a running session. */
import { defineVerbGroup } from '../verb.ts'
import { ordersAnswerCancellationVerb } from './orders-answer-cancellation.ts'
import { ordersCancelVerb, ordersCancelItemVerb } from './orders-cancel.ts'
import { ordersCreateVerb } from './orders-create.ts'
import { ordersListVerb, ordersShowVerb } from './orders-list.ts'
import { ordersMoveVerb } from './orders-move.ts'

export const ordersVerb = defineVerbGroup({
  name: 'orders',
  summary: 'orders of a running session: list, show, create, move, cancel',
  verbs: [
    ordersListVerb,
    ordersShowVerb,
    ordersCreateVerb,
    ordersMoveVerb,
    ordersCancelVerb,
    ordersCancelItemVerb,
    ordersAnswerCancellationVerb,
  ],
})
