/** E-mail addresses; replacements use the domain reserved for examples. */
import { defineClass } from '../class.ts'
import { canonicalText, isPlaceholder } from '../pseudonyms.ts'

export const email = defineClass({
  id: 'email',
  covers: 'e-mail addresses; `u` and eight letters at example.com',
  nouns: ['email', 'email address'],
  identifiesPerson: true,
  replace: (value, { pseudonyms, isAnew }) => {
    const isReplaced = !isAnew && /^u[a-z]{8}@example\.com$/.test(value)
    if (value.trim() === '' || isPlaceholder(value) || isReplaced) return value
    const canonical = canonicalText(value)
    return canonical.includes('@')
      ? `u${pseudonyms.letters('email', canonical, 8)}@example.com`
      : pseudonyms.mark('eml', 'email', canonical)
  },
})
