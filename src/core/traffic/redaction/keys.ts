/**
 * Maps a key to the classes of its value, by its words (`words.ts`), whatever the spelling and the language. Whether a
 * `name` is a person's depends on its context, so a meaning holds every candidate, and the caller chooses.
 */
import { compact } from '../../base/compact.ts'
import { redactionClasses } from './catalogue.ts'
import type { KeyPlace, RedactionClass } from './class.ts'
import { personName } from './classes/persons.ts'
import { secret, signature } from './classes/secrets.ts'
import { decodeRun } from './coded-text.ts'
import { isDistinctive, isOpaque, type SecretEvidence } from './distinctive.ts'
import { needsNoRedaction, normaliseTypography } from './fast-path.ts'
import { memoise } from '../memoise.ts'
import { nameWords } from './words.ts'

export interface KeyMeaning {
  /** The key in lower case, letters and digits only. */
  readonly name: string
  /** In any context. */
  readonly always?: RedactionClass
  /** Only in an object about a person. */
  readonly ofPerson?: RedactionClass
  /** Only when the value fits the class. */
  readonly whenFitting?: RedactionClass
  /** Only when the value looks like a secret: `key`, `auth`, `hash`. */
  readonly whenOpaque?: RedactionClass
  /** Such a name says whose it is: in a member it is rather an id, unless its value looks random. */
  readonly namesThing: boolean
  /** The id of a part of an order. */
  readonly namesOrdered: boolean
  readonly inPlace: Readonly<Partial<Record<KeyPlace, RedactionClass>>>
  /** The kind of an object under this key. */
  readonly opens?: KeyPlace
  /** Whether an object under this key is about a person (true) or a business (false); undefined: unknown. */
  readonly person?: boolean
  /** A price, a category: what has such a field is no person. */
  readonly saysOfThing: boolean
  /** A program-like word: no e-mail address and no number. */
  readonly isPlain: boolean
  /** It holds an identifier: only what cannot be part of one is redacted. */
  readonly isId: boolean
  /** It holds the identifier of a person. */
  readonly isPersonsId: boolean
  /** It holds a number that counts or identifies things: digits alone in it are no person's. */
  readonly isNumbering: boolean
}

type Words = readonly string[]
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** `customerInfo`, `dados_do_cliente`; `data` is a date in Portuguese. */
const containers = wordSet('details date')
/** `updateCustomer` is about a customer. */
const changes = wordSet('create update upsert add register new save input')

/** What an object is that is about no person. */
const businessWords = new Set(
  (
    'merchant,item,option,product,menu,category,program,reward,tier,badge,coupon,fee other,discount,' +
    'sponsorshipvalues,capability,brand,company,chain,vehicle,app,participant,catalog,kitchen'
  ).split(','),
)

/** What is said of a dish: `precoUnitario`, `sku`. */
const thingFields = wordSet('price value sku barcode count unit category description')
/** Of `tokenType`, `tipo_token` the type is said. */
const saidAnywhere = wordSet(
  'type expiry size format method algorithm count limit version policy status required enabled name',
)
/** Of `tokenUrl` the URL is said, of `urlToken` the token. */
const saidBehind = wordSet(
  'id identifier identificador url time issuer scope provider error description title label prefix field header used valid at in consent domain path',
)
/** What may stand behind the noun in Portuguese and Spanish: `telefoneCliente`. */
const qualifiers = wordSet(
  'person contact card landline details delivery pickup billing shipping home work main secondary merchant company partner current new old ' +
    'full mobile electronic invoice order',
)
/** Keys that open nothing: `primaryKey`, `chaveNFe`. */
const harmlessKeys = wordSet(
  'public primary foreign sort partition routing cache idempotency surrogate invoice websocket',
)
const weakWords = wordSet('key authentication hash pass assinatura signing session verifier pat sk')
/** Beside other words they name things in members; `sk` sorts rows, `session` may be a meal. */
const thingWords = wordSet('key authentication hash session verifier')
const alwaysThings = wordSet('hash session pat sk')

/** What a number beside these words identifies is no person: `codigoProduto`, `nsu`, `trackingNumber`. */
const numberingWords = wordSet(
  'code reference sku barcode nsu protocol sequence order invoice product item event tracking serial batch time ' +
    'timestamp external version trace correlation at',
)
const personalWords = wordSet('person contact phone document card cpf cnpj tax mobile email pix')

/** Spelled with a capital or underscore (`orderId`, `order_id`), or one of the words below written as one. */
const spelledId = /(?:^|[_\-. ])ids?$|[a-z\d]I[dD]s?$/
const writtenTogether =
  /^(?:order|event|item|merchant|customer|account|client|request|delivery|store|participant|product|program|coupon|source|app|user)?ids?$|(?:uuid|code|sku|ean|gtin|barcode|hash|nsu|sha256|version|etag)$/

const plainKey = /^[\w$-]{0,40}[A-Za-z_$-]\d{0,3}$|^\d{0,6}$/

const phraseOf = (words: Words): string =>
  words.length === 1 ? (words[0] ?? '') : [...new Set(words)].sort().join(' ')

function readTables() {
  const always = new Map<string, RedactionClass>()
  const ofPerson = new Map<string, RedactionClass>()
  const whenFitting = new Map<string, RedactionClass>()
  const inPlaces = new Map<string, Partial<Record<KeyPlace, RedactionClass>>>()
  const nouns: (readonly [words: Words, RedactionClass])[] = []
  for (const definition of redactionClasses) {
    const phrases = (keys: readonly string[] = []) => keys.map((key) => phraseOf(nameWords(key)))
    for (const key of phrases(definition.keys)) always.set(key, definition)
    for (const key of phrases(definition.personKeys)) ofPerson.set(key, definition)
    for (const key of phrases(definition.fittingKeys)) whenFitting.set(key, definition)
    for (const key of phrases(definition.nouns)) nouns.push([key.split(' '), definition])
    for (const [place, keys] of Object.entries(definition.keysIn ?? {}))
      for (const key of phrases(keys))
        inPlaces.set(key, { ...inPlaces.get(key), [place]: definition })
  }
  nouns.sort(([a], [b]) => b.length - a.length)
  const wordsOfNouns = new Set(nouns.flatMap(([words]) => words))
  return { always, ofPerson, whenFitting, inPlaces, nouns, wordsOfNouns }
}

let tables: ReturnType<typeof readTables> | undefined
const classTables = () => (tables ??= readTables())

/** Lower case without accents and punctuation: `endereço` is `endereco`; full-width letters become plain ones. */
export const normaliseKey = (key: string): string =>
  key
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

const hashNames = wordSet('hash sha md')

/** The hash of an e-mail address or a document can be reversed by trying them all. */
const withoutHash = (words: Words): Words => words.filter((word) => !hashNames.has(word))

const secretIds = wordSet('token secret signature')

/** Whether a name says something about its noun, and not the noun itself. */
const isAboutNoun = (words: Words, noun: Words): boolean => {
  const last = words.findLastIndex((word) => noun.includes(word))
  return words.some(
    (word, at) =>
      !noun.includes(word) && (saidAnywhere.has(word) || (at > last && saidBehind.has(word))),
  )
}

/** Whether words such as `type` and `version` make a name harmless, or a key opens nothing: `X-Cache-Key`. */
export const isHarmlessName = (words: Words): boolean =>
  words.some((word) => saidAnywhere.has(word) || harmlessKeys.has(word))

/** Whether the noun is what the name names: `deliveryAddress`, `enderecoEntrega`. */
function isNamedBy(words: Words, noun: Words): boolean {
  if (noun.includes(words.at(-1) ?? '')) return words[0] !== 'id'
  return noun.includes(words[0] ?? '') && words.every((w) => noun.includes(w) || qualifiers.has(w))
}

const isNoun = (words: Words, [noun, { id }]: readonly [Words, RedactionClass]): boolean =>
  noun.every((word) => words.includes(word)) &&
  !isAboutNoun(words, noun) &&
  (secretIds.has(id) || isNamedBy(words, noun))

/** `customerName`, `nome_do_cliente`. */
const isPersonsName = (words: Words): boolean =>
  (words.includes('person') || words.includes('contact')) &&
  words.includes('name') &&
  words.every(
    (word) =>
      word === 'name' || containers.has(word) || (qualifiers.has(word) && word !== 'company'),
  )

function classInAnyContext(words: Words): RedactionClass | undefined {
  if (words.length === 0) return undefined
  const { always, nouns, wordsOfNouns } = classTables()
  const exact = always.get(phraseOf(words))
  if (exact || !words.some((word) => wordsOfNouns.has(word))) return exact
  return isPersonsName(words) ? personName : nouns.find((noun) => isNoun(words, noun))?.[1]
}

/** `kitchenKey`, `menuHash`: a member holds the id of a thing under such a name. */
const namesThing = (words: Words): boolean =>
  words.some((word) => alwaysThings.has(word)) ||
  (words.some((word) => thingWords.has(word)) &&
    words.some((word) => !weakWords.has(word) && (!qualifiers.has(word) || word === 'order')))

/** `itemKey`, `menuHash`: whatever the value looks like, it identifies a part of an order. */
const namesOrdered = (words: Words): boolean =>
  words.some((word) => word === 'hash' || numberingWords.has(word) || businessWords.has(word))

/** Words that also name what is no secret. */
function weakClass(words: Words): RedactionClass | undefined {
  const weak = words.filter((word) => weakWords.has(word))
  if (weak.length === 0 || isAboutNoun(words, weak)) return undefined
  if (words.some((word) => harmlessKeys.has(word))) return undefined
  return weak.some((word) => word === 'assinatura' || word === 'hash') ? signature : secret
}

const isNumbering = (words: Words): boolean =>
  words.some((word) => numberingWords.has(word)) && !words.some((word) => personalWords.has(word))

const isIdentifier = (key: string, name: string): boolean =>
  spelledId.test(key) || writtenTogether.test(name)

const placeNouns = ['address', 'phone', 'contact', 'mobile']

function placeIn(words: Words, name: string): KeyPlace | undefined {
  const phrase = phraseOf(words)
  const noun = placeNouns.find((word) => words.includes(word) && isNamedBy(words, [word]))
  if (noun === 'address' || /^(?:origin|destination|location|pickup|dropoff)$/.test(name))
    return 'address'
  if (noun === 'phone' || noun === 'mobile') return 'phone'
  const bare = phraseOf(words.filter((word) => !containers.has(word)))
  if (/^card(?: (?:credit|debit|payment))?$/.test(bare)) return 'card'
  if (phrase === 'document' || phrase === 'document identity') return 'document'
  if (noun === 'contact' || name.endsWith('identifier')) return 'contact'
  return phrase === 'pix' || phrase === 'call' ? phrase : undefined
}

/** `customer`, `updateCustomer`, `deliveryPerson`, `contato`. */
function namesPerson(words: Words): boolean {
  const nounsOfIt = words.filter((word) => !changes.has(word) && !containers.has(word))
  const last = nounsOfIt.at(-1)
  return (
    (last === 'person' || last === 'contact') &&
    nounsOfIt.every((word) => word === last || (word === 'delivery' && last === 'person'))
  )
}

function createMeaning(key: string): KeyMeaning {
  const { ofPerson, whenFitting, inPlaces } = classTables()
  const name = normaliseKey(key)
  const words = nameWords(key)
  const bare = withoutHash(words)
  const own = <Class>(of: (phrase: string) => Class | undefined): Class | undefined =>
    of(phraseOf(words)) ?? of(phraseOf(bare))
  const sole =
    classInAnyContext(words) ?? (bare.length < words.length ? classInAnyContext(bare) : undefined)
  const isOfPerson = namesPerson(words)
  // `"customer": "Ana Souza"`, where others have an id or an object.
  const fitting = own((phrase) => whenFitting.get(phrase)) ?? (isOfPerson ? personName : undefined)
  return {
    name,
    inPlace: inPlaces.get(phraseOf(words)) ?? {},
    isPlain: plainKey.test(key) && (needsNoRedaction(key) || decodeRun(key) === undefined),
    isId: isIdentifier(key, name),
    namesThing: namesThing(words),
    namesOrdered: namesOrdered(words),
    isPersonsId: phraseOf(words) === 'id person',
    isNumbering: isNumbering(words),
    ...compact({
      always: sole,
      ofPerson: own((phrase) => ofPerson.get(phrase)),
      whenFitting: fitting,
      whenOpaque: sole ? undefined : weakClass(words),
      opens: placeIn(words, name),
    }),
    ...(isOfPerson ? { person: true } : {}),
    ...(businessWords.has(phraseOf(words)) ? { person: false } : {}),
    saysOfThing: words.some((word) => thingFields.has(word)),
  }
}

/** Objects may be keyed by ids. */
export const keyMeaningOf = memoise(2000, createMeaning)

/** Whether only what cannot be part of an identifier is redacted in this value. */
export const isQuiet = ({ isId, isNumbering: isOne }: KeyMeaning, value: string): boolean =>
  isId || (isOne && /^[\w.-]+$/.test(value))

/** The class of a value under a key in its context; undefined when the key has none. */
export function classForKey(
  meaning: KeyMeaning,
  value: string,
  where: {
    readonly place?: KeyPlace | undefined
    readonly person?: boolean | undefined
    /** In a query, a form or a header, which hold no hashes and ids under such names. */
    readonly isParameter?: boolean
  },
): RedactionClass | undefined {
  const { always: sole, ofPerson: person, whenFitting: fitting, whenOpaque, inPlace } = meaning
  const placed = where.place && inPlace[where.place]
  if (placed) return placed
  if (sole) return sole
  if (person && where.person === true) return person
  if (fitting?.fits?.(normaliseTypography(value)) === true) return fitting
  const { isParameter = false } = where
  if (!whenOpaque || !isOpaque(value, { isParameter })) return undefined
  const isOpen =
    isParameter || !meaning.namesThing || (!meaning.namesOrdered && isDistinctive(value, 'placed'))
  return isOpen ? whenOpaque : undefined
}

/** What a class found by `classForKey` rests on: a weak name such as `key` leaves it to the looks of the value. */
export const evidenceOfClass = (
  { whenOpaque }: KeyMeaning,
  definition: RedactionClass,
): SecretEvidence => (definition === whenOpaque ? 'placed' : 'named')

/** Whether the key says the class of a value, at least in some context. */
export const hasClass = ({
  always: sole,
  ofPerson: person,
  whenFitting: fitting,
  whenOpaque: opaque,
}: KeyMeaning): boolean => (sole ?? person ?? fitting ?? opaque) !== undefined

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
