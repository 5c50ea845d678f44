/**
 * What a key says about its value, once for every spelling of it: `client_secret`, `clientSecret` and `Client-Secret`
 * are one key. Whether a `name` is a person's depends on where it stands, so a meaning holds every reading, and the
 * walker picks.
 */
import { redactionClasses } from './catalogue.ts'
import type { Place, RedactionClass } from './class.ts'
import { personName } from './classes/persons.ts'
import { usually } from './typography.ts'

export interface KeyMeaning {
  /** The key in lower case, letters and digits only. */
  readonly name: string
  /** Wherever it stands. */
  readonly always?: RedactionClass
  /** Only in what tells about a person. */
  readonly ofPerson?: RedactionClass
  /** Only when the value looks like it. */
  readonly whenFitting?: RedactionClass
  readonly inPlace: Readonly<Partial<Record<Place, RedactionClass>>>
  /** The place that an object under this key is. */
  readonly opens?: Place
  /** An object under this key tells about a person, or about a business; undefined says nothing. */
  readonly person?: boolean
  /** A word as programs write it: nobody's e-mail address, nobody's number. */
  readonly isPlain: boolean
  /** It holds an identifier: only what cannot be one is taken out of it. */
  readonly isId: boolean
}

const personWords = new Set(
  (
    'customer customers cliente clientes client consumer consumers recipient recipients receiver destinatario ' +
    'courier couriers entregador deliveryperson deliveryman driver drivers rider riders waiter garcom attendant ' +
    'contact contacts contato lead leads user users usuario payer holder cardholder guest guests person people ' +
    'author reviewer buyer owner responsible employee operator'
  ).split(' '),
)

const businessWords = new Set(
  (
    'merchant merchants store stores restaurant restaurants loja lojas item items itens option options product ' +
    'products menu menus category categories program programs reward rewards tier tiers badge badges coupon coupons ' +
    'otherfees discounts sponsorshipvalues capabilities capability brand company chain vehicle app application ' +
    'participant catalog catalogs'
  ).split(' '),
)

const places: readonly (readonly [Place, RegExp])[] = [
  ['address', /address(?:es)?$|^(?:endereco|origin|destination|location|pickup|dropoff)$/],
  ['phone', /(?:phone|phones|telephone|telefone|telefones|celular|mobile|whatsapp|fone)$/],
  ['card', /^(?:credit|debit|payment)?card$|^cartao$/],
  ['document', /^(?:identity)?documents?$|^documentos?$/],
  ['contact', /contacts?$|^contatos?$|identifier$/],
  ['call', /^call$/],
]

/** By capital or underscore (`orderId`, `order_id`), or one of the words that are written together. */
const spelled = /(?:^|[_\-. ])ids?$|[a-z\d]I[dD]s?$/
const together =
  /^(?:order|event|item|merchant|customer|account|client|request|delivery|store|participant|product|program|coupon|source|app|user)?ids?$|(?:uuid|code|sku|ean|gtin|barcode|hash|nsu|sha256|version|etag)$/

const plain = /^[\w$-]{0,40}[A-Za-z_$-]\d{0,3}$|^\d{0,6}$/

const always = new Map<string, RedactionClass>()
const ofPerson = new Map<string, RedactionClass>()
const whenFitting = new Map<string, RedactionClass>()
const inPlaces = new Map<string, Partial<Record<Place, RedactionClass>>>()
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

/** Accents are dropped too: `endereço` is `endereco`; and letters of full width are letters. */
export const normalKey = (key: string): string =>
  key
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

/**
 * What a key is about without what it counts or how its value was mixed up: `phone2` is a phone, and the hash of an e-mail
 * address or a document is told to whoever tries them all.
 */
function barely(name: string): string {
  const bare = name.replace(/^hashed|(?:hash(?:ed)?|sha(?:1|256|512)|md5|\d+)$/, '')
  return bare === name ? name : barely(bare)
}

function alwaysOf(name: string): RedactionClass | undefined {
  const exact = always.get(name)
  if (exact) return exact
  for (const suffix of ['name', 'nome'])
    if (name.endsWith(suffix) && personWords.has(name.slice(0, -suffix.length))) return personName
  return endings.find(([ending]) => name.endsWith(ending))?.[1]
}

const isIdentifier = (key: string, name: string): boolean =>
  spelled.test(key) || together.test(name)

function meaning(key: string): KeyMeaning {
  const name = normalKey(key)
  const bare = barely(name)
  const sole = alwaysOf(name) ?? alwaysOf(bare)
  const person = ofPerson.get(name) ?? ofPerson.get(bare)
  const fitting = whenFitting.get(name) ?? whenFitting.get(bare)
  const opens = places.find(([, pattern]) => pattern.test(name))?.[0]
  return {
    name,
    inPlace: inPlaces.get(name) ?? {},
    isPlain: plain.test(key),
    isId: isIdentifier(key, name),
    ...(sole ? { always: sole } : {}),
    ...(person ? { ofPerson: person } : {}),
    ...(fitting ? { whenFitting: fitting } : {}),
    ...(opens ? { opens } : {}),
    ...(personWords.has(name) ? { person: true } : {}),
    ...(businessWords.has(name) ? { person: false } : {}),
  }
}

const known = new Map<string, KeyMeaning>()
const mostKnown = 2000

/** Objects may be keyed by ids, so what is remembered has a bound. */
export function meaningOf(key: string): KeyMeaning {
  const before = known.get(key)
  if (before) return before
  if (known.size >= mostKnown) known.clear()
  const fresh = meaning(key)
  known.set(key, fresh)
  return fresh
}

/** The class of a value under a key, where it stands; undefined when the key says nothing. */
export function classOf(
  { always: sole, ofPerson: person, whenFitting: fitting, inPlace }: KeyMeaning,
  value: string,
  where: { readonly place?: Place | undefined; readonly person?: boolean | undefined },
): RedactionClass | undefined {
  const placed = where.place && inPlace[where.place]
  if (placed) return placed
  if (sole) return sole
  if (person && where.person === true) return person
  return fitting?.fits?.(usually(value)) === true ? fitting : undefined
}
