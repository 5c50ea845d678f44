/** Free text and files: patterns cannot clean those, so only the length stays. */
import { defineClass } from '../class.ts'
import { lengthPlaceholder } from '../pseudonyms.ts'

export const freeText = defineClass({
  id: 'text',
  covers: 'notes, instructions, observations, comments; `~txt(` and the length',
  keys: [
    'note',
    'notes',
    'remark',
    'remarks',
    'comment',
    'comments',
    'instruction',
    'instructions',
    'specialinstructions',
    'deliveryinstructions',
    'observation',
    'observations',
    'observacao',
    'observacoes',
    'obs',
    'extrainfo',
    'additionalinfo',
    'chat',
    'feedback',
    'xml',
  ],
  // Some partners write the payment method as a sentence, others as an object of methods and amounts.
  fittingKeys: ['methodinfo'],
  fits: () => true,
  includesMembers: true,
  replace: (value) => lengthPlaceholder(value),
})

export const binary = defineClass({
  id: 'binary',
  covers: 'files inside a document; `~bin(` and the length',
  endings: ['base64'],
  replace: (value) => lengthPlaceholder(value, 'bin'),
})
