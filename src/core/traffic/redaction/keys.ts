/**
 * Maps a key to the classes of its value, independent of spelling: `client_secret`, `clientSecret` and
 * `Client-Secret` are one key. Whether a `name` is a person's depends on its context, so a meaning holds every
 * candidate, and the caller chooses.
 */
import { compact } from '../../base/compact.ts'
import { redactionClasses } from './catalogue.ts'
import type { KeyPlace, RedactionClass } from './class.ts'
import { personName } from './classes/persons.ts'
import { decodeRun } from './coded-text.ts'
import { normaliseTypography } from './typography.ts'
import { memoise } from '../memoise.ts'

export interface KeyMeaning {
  /** The key in lower case, letters and digits only. */
  readonly name: string
  /** In any context. */
  readonly always?: RedactionClass
  /** Only in an object about a person. */
  readonly ofPerson?: RedactionClass
  /** Only when the value fits the class. */
  readonly whenFitting?: RedactionClass
  readonly inPlace: Readonly<Partial<Record<KeyPlace, RedactionClass>>>
  /** The kind of an object under this key. */
  readonly opens?: KeyPlace
  /** Whether an object under this key is about a person (true) or a business (false); undefined: unknown. */
  readonly person?: boolean
  /** A program-like word: no e-mail address and no number. */
  readonly isPlain: boolean
  /** It holds an identifier: only what cannot be part of one is redacted. */
  readonly isId: boolean
}

const personWords = new Set(
  (
    'customer customers cliente clientes client consumer consumers recipient recipients receiver destinatario ' +
    'courier couriers entregador deliveryperson deliveryman driver drivers rider riders waiter garcom attendant ' +
    'contact contacts contato lead leads user users usuario payer holder cardholder guest guests person people ' +
    'author reviewer buyer owner responsible employee operator pessoa comprador pagador titular'
  ).split(' '),
)

/** `updateCustomer` is about a customer. */
const changingVerb = /^(?:create|update|upsert|add|register|new|save)|input$/

const businessWords = new Set(
  (
    'merchant merchants store stores restaurant restaurants loja lojas item items itens option options product ' +
    'products menu menus category categories program programs reward rewards tier tiers badge badges coupon coupons ' +
    'otherfees discounts sponsorshipvalues capabilities capability brand company chain vehicle app application ' +
    'participant catalog catalogs'
  ).split(' '),
)

const objectPlaces: readonly (readonly [KeyPlace, RegExp])[] = [
  ['address', /address(?:es)?$|^(?:endereco|origin|destination|location|pickup|dropoff)$/],
  ['phone', /(?:phone|phones|telephone|telefone|telefones|celular|mobile|whatsapp|fone)$/],
  ['card', /^(?:credit|debit|payment)?card$|^cartao$/],
  ['document', /^(?:identity)?documents?$|^documentos?$/],
  ['contact', /contacts?$|^contatos?$|identifier$/],
  ['call', /^call$/],
  ['pix', /^pix$/],
]

/** Spelled with a capital or underscore (`orderId`, `order_id`), or one of the words below written as one. */
const spelledId = /(?:^|[_\-. ])ids?$|[a-z\d]I[dD]s?$/
const writtenTogether =
  /^(?:order|event|item|merchant|customer|account|client|request|delivery|store|participant|product|program|coupon|source|app|user)?ids?$|(?:uuid|code|sku|ean|gtin|barcode|hash|nsu|sha256|version|etag)$/

const plainKey = /^[\w$-]{0,40}[A-Za-z_$-]\d{0,3}$|^\d{0,6}$/

const always = new Map<string, RedactionClass>()
const ofPerson = new Map<string, RedactionClass>()
const whenFitting = new Map<string, RedactionClass>()
const inPlaces = new Map<string, Partial<Record<KeyPlace, RedactionClass>>>()
const endings: (readonly [ending: string, RedactionClass])[] = []

for (const definition of redactionClasses) {
  for (const key of definition.keys ?? []) always.set(key, definition)
  for (const key of definition.personKeys ?? []) ofPerson.set(key, definition)
  for (const key of definition.fittingKeys ?? []) whenFitting.set(key, definition)
  for (const ending of definition.endings ?? []) endings.push([ending, definition])
  for (const [place, keys] of Object.entries(definition.keysIn ?? {}))
    for (const key of keys) inPlaces.set(key, { ...inPlaces.get(key), [place]: definition })
}
endings.sort(([a], [b]) => b.length - a.length)

/** Lower case without accents and punctuation: `endereço` is `endereco`; full-width letters become plain ones. */
export const normaliseKey = (key: string): string =>
  key
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

/**
 * The key without counters and hash names: `phone2` is a phone, and the hash of an e-mail address or a document can
 * be reversed by trying them all.
 */
function withoutAffixes(name: string): string {
  const bare = name.replace(/^hashed|(?:hash(?:ed)?|sha(?:1|256|512)|md5|\d+)$/, '')
  return bare === name ? name : withoutAffixes(bare)
}

function classInAnyContext(name: string): RedactionClass | undefined {
  const exact = always.get(name)
  if (exact) return exact
  for (const suffix of ['name', 'nome'])
    if (
      (name.endsWith(suffix) && personWords.has(name.slice(0, -suffix.length))) ||
      (name.startsWith(suffix) && personWords.has(name.slice(suffix.length).replace(/^d[aeo]/, '')))
    )
      return personName
  return endings.find(([ending]) => name.endsWith(ending))?.[1]
}

const isIdentifier = (key: string, name: string): boolean =>
  spelledId.test(key) || writtenTogether.test(name)

function createMeaning(key: string): KeyMeaning {
  const name = normaliseKey(key)
  const bare = withoutAffixes(name)
  const sole = classInAnyContext(name) ?? classInAnyContext(bare)
  const person = ofPerson.get(name) ?? ofPerson.get(bare)
  const isOfPerson = personWords.has(name) || personWords.has(name.replace(changingVerb, ''))
  // `"customer": "Ana Souza"`, where others have an id or an object.
  const fitting =
    whenFitting.get(name) ?? whenFitting.get(bare) ?? (isOfPerson ? personName : undefined)
  const opens = objectPlaces.find(([, pattern]) => pattern.test(name))?.[0]
  return {
    name,
    inPlace: inPlaces.get(name) ?? {},
    isPlain: plainKey.test(key) && decodeRun(key) === undefined,
    isId: isIdentifier(key, name),
    ...compact({ always: sole, ofPerson: person, whenFitting: fitting, opens }),
    ...(isOfPerson ? { person: true } : {}),
    ...(businessWords.has(name) ? { person: false } : {}),
  }
}

/** Objects may be keyed by ids. */
export const keyMeaningOf = memoise(2000, createMeaning)

/** The class of a value under a key in its context; undefined when the key has none. */
export function classForKey(
  { always: sole, ofPerson: person, whenFitting: fitting, inPlace }: KeyMeaning,
  value: string,
  where: { readonly place?: KeyPlace | undefined; readonly person?: boolean | undefined },
): RedactionClass | undefined {
  const placed = where.place && inPlace[where.place]
  if (placed) return placed
  if (sole) return sole
  if (person && where.person === true) return person
  return fitting?.fits?.(normaliseTypography(value)) === true ? fitting : undefined
}

/** Whether the key tells the class of a value, at least in some context. */
export const hasClass = ({
  always: sole,
  ofPerson: person,
  whenFitting: fitting,
}: KeyMeaning): boolean => (sole ?? person ?? fitting) !== undefined

/** What is around the members of an object. */
export interface Surroundings {
  readonly place?: KeyPlace | undefined
  readonly person?: boolean | undefined
  /** The class of every text inside. */
  readonly forAll?: RedactionClass | undefined
}

/** What is around the members of an object under this key. */
export const surroundingsIn = (
  { always: sole, opens, person }: KeyMeaning,
  around: Surroundings,
): Required<Surroundings> => ({
  place: opens ?? (person === undefined ? around.place : undefined),
  person: person ?? (opens === 'contact' ? true : around.person),
  forAll: sole?.includesMembers ? sole : around.forAll,
})

/** Keys without a meaning of their own, which denote a part of the parent's value. */
const partKeys = new Set(
  (
    'value text raw full formatted display first last middle given family local international national ' +
    'year month day primary secondary'
  ).split(' '),
)
/** Classes whose parts belong to the class too. */
const classesWithParts = new Set<string>(
  'name email phone document birth address card pix'.split(' '),
)

export const isPart = ({ name }: KeyMeaning): boolean => partKeys.has(name)
export const hasParts = ({ id }: RedactionClass): boolean => classesWithParts.has(id)

/** The class of everything under a key, whatever the value. */
export const soleClass = (
  { always: sole, ofPerson: person }: KeyMeaning,
  isOfPerson: boolean | undefined,
): RedactionClass | undefined => sole ?? (isOfPerson === true ? person : undefined)
