/** Free text and files: patterns cannot clean those, so only the length stays. */
import { defineClass } from '../class.ts'
import { lengthPlaceholder } from '../pseudonyms.ts'

export const freeText = defineClass({
  id: 'text',
  covers: 'notes, instructions, observations, comments; `~txt(` and the length',
  keys: (
    'note,remark,comment,instruction,special instruction,delivery instruction,observation,' +
    'extra info,extrainfo,additional info,additionalinfo,chat,feedback,xml'
  ).split(','),
  // Some partners write the payment method as a sentence, others as an object of methods and amounts.
  fittingKeys: ['method info', 'methodinfo'],
  fits: () => true,
  includesMembers: true,
  replace: (value) => lengthPlaceholder(value),
})

export const binary = defineClass({
  id: 'binary',
  covers: 'files inside a document; `~bin(` and the length',
  nouns: ['base64'],
  replace: (value) => lengthPlaceholder(value, 'bin'),
})
