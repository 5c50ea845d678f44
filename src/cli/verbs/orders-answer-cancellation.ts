/** `sparring orders answer-cancellation`: what the Ordering Application that we play says to a merchant who asked. */
import { jsonFlag, noColorFlag, talkFlags } from '../flags.ts'
import { ask } from '../talk.ts'
import { defineVerb } from '../verb.ts'

export const answerCancellation = defineVerb({
  name: 'answer-cancellation',
  summary: 'accept or deny a cancellation that was asked for',
  arguments: [
    { name: 'id', summary: 'the order', required: true },
    { name: 'answer', summary: 'the answer', required: true, choices: ['accept', 'deny'] },
  ],
  flags: [jsonFlag, noColorFlag, ...talkFlags],
  run: ({ id, answer, ...options }, io) =>
    ask({ kind: 'cancellation.answer', orderId: id, answer }, `${id}: ${answer}`, options, io),
})
