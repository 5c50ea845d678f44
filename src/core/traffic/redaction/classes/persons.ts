/** Personal data: names, birth dates, pictures, licence plates. The name of a merchant stays. */
import { isoOf } from '../../../engine/instant.ts'
import { defineClass, replaceByMark } from '../class.ts'
import { canonicalText, isPlaceholder } from '../pseudonyms.ts'

/** A first name, or several names; a single word in capitals is rather a constant. */
const name =
  /^\p{Lu}\p{Ll}+$|^\p{Lu}[\p{L}'’.-]*(?: (?:d[aeo]s?|e|van|von|de|la))*(?: \p{Lu}[\p{L}'’.-]*)+$/u

export const personName = defineClass({
  id: 'name',
  covers: 'names of customers, couriers, waiters and other people; `Pessoa` and six letters',
  keys: ['preferred username', 'mother name', 'social name', 'requested by'],
  nouns: [
    'first name',
    'last name',
    'middle name',
    'full name',
    'family name',
    'given name',
    'surname',
    'nickname',
  ],
  keysIn: { call: ['label'], card: ['holder', 'name'] },
  personKeys: ['name', 'display name', 'login', 'nick'],
  fits: (value) => name.test(value),
  replace: (value, { pseudonyms }) =>
    value.trim() === '' || /^Pessoa [a-z]{6}$/.test(value)
      ? value
      : `Pessoa ${pseudonyms.letters('name', canonicalText(value), 6)}`,
})

const dayMs = 86_400_000
/**
 * 1 January 1900, in days since 1970: birth dates in the twenty years after it belong to no living person, so they
 * serve as replacements.
 */
const firstBirthDay = -25_567
const birthDays = 7300

/** A date with an optional time of day, and nothing after it. */
const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})((?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?)$/

export const birth = defineClass({
  id: 'birth',
  covers: 'birth dates; a date between 1900 and 1919, written as the original is',
  keys: ['birth', 'birth month', 'birth year', 'born at'],
  nouns: ['birth date', 'birth'],
  identifiesPerson: true,
  replace: (value, { pseudonyms }) => {
    const iso = isoDate.exec(value)
    const local = /^(\d{2})([/.-])(\d{2})\2(\d{4})$/.exec(value)
    if (!iso && !local)
      return value === '' || isPlaceholder(value) ? value : pseudonyms.mark('dob', 'birth', value)
    const year = iso ? iso[1] : local?.[4]
    const canonical = iso
      ? `${iso[1]}-${iso[2]}-${iso[3]}`
      : `${local?.[4]}-${local?.[3]}-${local?.[1]}`
    if (year !== undefined && year >= '1900' && year < '1920') return value
    const date = isoOf((firstBirthDay + pseudonyms.below('birth', canonical, birthDays)) * dayMs)
    if (iso) return date.slice(0, 10) + zeroTime(iso[4] ?? '')
    const mark = local?.[2] ?? '/'
    return [date.slice(8, 10), date.slice(5, 7), date.slice(0, 4)].join(mark)
  },
})

/** Sets the time of day of a birth date to zero: it identifies as much as the date; the form stays. */
const zeroTime = (tail: string): string =>
  tail.replace(/^[T ][\d:.]+/, (time) => time.replaceAll(/\d/g, '0'))

export const picture = defineClass({
  id: 'picture',
  covers: 'addresses of pictures of people; an address on example.com',
  keys: ['photo', 'photo url'],
  replace: (value, { pseudonyms }) => {
    const ours = 'https://example.com/'
    if (value === '' || (value.startsWith(ours) && isPlaceholder(value.slice(ours.length))))
      return value
    return ours + pseudonyms.mark('img', 'picture', value)
  },
})

export const plate = defineClass({
  id: 'plate',
  covers: "plates of couriers' vehicles; `~plt_` and ten letters",
  keys: ['licence plate', 'vehicle plate', 'number plate'],
  nouns: ['placa'],
  replace: replaceByMark('plt', 'plate', (value) =>
    canonicalText(value).replaceAll(/[^a-z0-9]/g, ''),
  ),
})
