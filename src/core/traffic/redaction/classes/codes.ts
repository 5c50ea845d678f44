/** Short codes: for pickup, doors and lockers, and for calls to a customer. */
import { defineClass } from '../class.ts'
import { isPlaceholder } from '../pseudonyms.ts'

const replacementPattern = /^~[a-z]{0,9}$/

export const code = defineClass({
  id: 'code',
  covers: 'pickup, delivery and confirmation codes; `~` and letters, as long as the code',
  keys: 'pickup delivery confirmation verification validation collect handover locker access door gate activation unlock recovery factor'
    .split(' ')
    .map((what) => `${what} code`)
    .concat('localizer', 'phone localizer', 'person phone localizer'),
  fittingKeys: ['factor'],
  fits: (value) => /^\d{4,8}$/.test(value),
  keysIn: { phone: ['extension', 'localizer', 'pin'] },
  replace: (value, { pseudonyms }) =>
    value === '' || replacementPattern.test(value) || isPlaceholder(value)
      ? value
      : `~${pseudonyms.letters('code', value, Math.min(9, value.length - 1))}`,
})
