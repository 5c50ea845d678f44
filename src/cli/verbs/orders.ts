/** `sparring orders`: lists, shows, creates, moves and cancels the orders of a running session. */
import { defineFamily } from '../verb.ts'
import { answerCancellation } from './orders-answer-cancellation.ts'
import { cancel, cancelItem } from './orders-cancel.ts'
import { create } from './orders-create.ts'
import { list, show } from './orders-list.ts'
import { move } from './orders-move.ts'

export const orders = defineFamily({
  name: 'orders',
  summary: 'orders of a running session: list, show, create, move, cancel',
  verbs: [list, show, create, move, cancel, cancelItem, answerCancellation],
})
