/** `sparring orders`: lists, shows, creates, moves and cancels the orders of a running session. */
import { defineVerbGroup } from '../../terminal/cli/verb.ts'
import {
  ordersAnswerCancellationVerb,
  ordersCancelItemVerb,
  ordersCancelVerb,
} from './orders-cancel.ts'
import { ordersCreateVerb } from './orders-create.ts'
import { ordersListVerb, ordersShowVerb } from './orders-list.ts'
import { ordersMenuVerb } from './orders-menu.ts'
import { ordersMoveVerb } from './orders-move.ts'

export const ordersVerb = defineVerbGroup({
  name: 'orders',
  summary:
    'orders of a running session: list, show, create, move, cancel; the menu that they are made up from',
  verbs: [
    ordersListVerb,
    ordersShowVerb,
    ordersCreateVerb,
    ordersMenuVerb,
    ordersMoveVerb,
    ordersCancelVerb,
    ordersCancelItemVerb,
    ordersAnswerCancellationVerb,
  ],
})
