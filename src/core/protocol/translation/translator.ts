/**
 * Translates bodies between the documents’ form and a partner’s (`conduct.translations`). Hosts and clients use it where they
 * write and read a body, the judge where it reads one of the wire; the traffic log has the wire’s form.
 */
import {
  type BodyPath,
  type JsonObject,
  fieldAtPath,
  liftMember,
  lowerMember,
  moveField,
  parseBodyPath,
  putAt,
  removeAt,
  updateAt,
  updateObjects,
} from './body-path.ts'
import type { BodyTranslation } from './settings.ts'
import { type WordTable, wordsFromWire, wordsToWire, wordTable } from './words.ts'

export type BodyPart = 'request' | 'reply'

export interface BodyTranslator {
  /** Whether such a body differs at all. */
  readonly translates: (operation: string, part: BodyPart) => boolean
  /** A body of ours as it is written. */
  readonly toWire: (operation: string, part: BodyPart, body: unknown) => unknown
  /** A body of a partner as it is understood. */
  readonly fromWire: (operation: string, part: BodyPart, body: unknown) => unknown
  /** Whether a word of ours in a field of a request has a word on the wire: without one nothing is sent. */
  readonly hasWord: (operation: string, field: string, word: string) => boolean
}

type Step = (object: JsonObject) => JsonObject

interface Form {
  readonly places: readonly BodyPath[]
  /** What stands for a body that is absent. */
  readonly whole: unknown
  readonly out: Step
  readonly back: Step
  readonly words: readonly WordTable[]
}

const inOrder =
  (steps: readonly Step[]): Step =>
  (object) =>
    steps.reduce((changed, step) => step(changed), object)

const without =
  (path: BodyPath): Step =>
  (object) =>
    updateAt(object, path, () => undefined) as JsonObject

/** Puts a value where it is missing, into the objects on the way that are there. */
const fillIn =
  (path: BodyPath, value: unknown): Step =>
  (object) =>
    updateAt(object, path.slice(0, -1), (found) =>
      updateObjects(found, (parent) => putAt(parent, path.slice(-1), value)),
    ) as JsonObject

/** A field of the partner that follows from one of ours. */
interface DerivedField {
  readonly at: BodyPath
  readonly from: BodyPath
  readonly write: (value: unknown) => unknown
  readonly read: (value: unknown) => unknown
}

const unchanged = (value: unknown): unknown => value

const derivedFields = ({ copy, byWord }: BodyTranslation): readonly DerivedField[] => [
  ...Object.entries(copy).map(([theirs, ours]) => ({
    at: parseBodyPath(theirs),
    from: parseBodyPath(ours),
    write: unchanged,
    read: unchanged,
  })),
  ...Object.entries(byWord).map(([theirs, { from, words }]) => {
    const ofTheirs = new Map(
      Object.entries(words)
        .map(([ours, word]) => [word, ours] as const)
        .toReversed(),
    )
    const ofOurs = new Map(Object.entries(words))
    return {
      at: parseBodyPath(theirs),
      from: parseBodyPath(from),
      write: (value: unknown) => ofOurs.get(String(value)),
      read: (value: unknown) => ofTheirs.get(String(value)),
    }
  }),
]

/** Writes the fields that follow from ours besides what the steps make. */
const withDerived =
  (derived: readonly DerivedField[], steps: Step): Step =>
  (object) =>
    derived.reduce((whole, { at, from, write }) => {
      const value = write(fieldAtPath(object, from))
      return value === undefined ? whole : putAt(whole, at, value)
    }, steps(object))

/** Reads them where ours is missing; one that says something else than ours stays in the body. */
const withoutDerived =
  (derived: readonly DerivedField[], steps: Step): Step =>
  (object) =>
    derived.reduce(
      (whole, { at, from, write, read }) => {
        const theirs = fieldAtPath(object, at)
        const ours = fieldAtPath(whole, from)
        if (theirs === undefined) return whole
        if (ours === undefined && read(theirs) !== undefined)
          return putAt(whole, from, read(theirs))
        return JSON.stringify(write(ours)) === JSON.stringify(theirs)
          ? whole
          : putAt(whole, at, theirs)
      },
      steps(derived.reduce((whole, { at }) => removeAt(whole, at), object)),
    )

const fillInAll = (values: Readonly<Record<string, unknown>>): readonly Step[] =>
  Object.entries(values).map(([path, value]) => fillIn(parseBodyPath(path), value))

/** A step of a function of the object and of what is known beforehand. */
const step =
  <Known extends readonly unknown[]>(change: (object: JsonObject, ...known: Known) => JsonObject) =>
  (...known: Known): Step =>
  (object) =>
    change(object, ...known)

const wordsOut = step(wordsToWire)
const wordsBack = step(wordsFromWire)
const lifted = step(liftMember)
const lowered = step(lowerMember)
const moved = step(moveField)

function formOf(translation: BodyTranslation): Form {
  const { at, words, absent, lift, fields, added } = translation
  const { '': whole, ...assumed } = translation.assumed
  const derived = derivedFields(translation)
  const lifts = Object.entries(lift).map(([path, others]) => [parseBodyPath(path), others] as const)
  const tables = Object.entries(words).map(([path, table]) => wordTable(path, table))
  const moves = Object.entries(fields).map(
    ([ours, theirs]) => [parseBodyPath(ours), parseBodyPath(theirs)] as const,
  )
  const out = inOrder([
    ...tables.map((table) => wordsOut(table)),
    ...absent.map((path) => without(parseBodyPath(path))),
    ...lifts.map(([path]) => lifted(path)),
    ...moves.map(([ours, theirs]) => moved(ours, theirs)),
    ...fillInAll(added),
  ])
  const back = inOrder([
    ...moves.toReversed().map(([ours, theirs]) => moved(theirs, ours)),
    ...lifts.toReversed().map(([path, others]) => lowered(path, others)),
    ...tables.map((table) => wordsBack(table)),
  ])
  return {
    places: at.map(parseBodyPath),
    whole,
    words: tables,
    out: withDerived(derived, out),
    back: inOrder([withoutDerived(derived, back), ...fillInAll(assumed)]),
  }
}

const translated = (body: unknown, forms: readonly Form[], direction: 'out' | 'back'): unknown =>
  forms.reduce(
    (whole, form) =>
      form.places.reduce(
        (changed, place) =>
          updateAt(changed, place, (found) => updateObjects(found, form[direction])),
        whole,
      ),
    body,
  )

function createTranslator(translations: readonly BodyTranslation[]): BodyTranslator {
  const byBody = new Map<string, Form[]>()
  for (const translation of translations) {
    const form = formOf(translation)
    const parts = translation.of === 'both' ? (['request', 'reply'] as const) : [translation.of]
    for (const key of translation.operations.flatMap((id) => parts.map((part) => `${id} ${part}`)))
      byBody.set(key, [...(byBody.get(key) ?? []), form])
  }
  const formsOf = (operation: string, part: BodyPart): readonly Form[] =>
    byBody.get(`${operation} ${part}`) ?? []
  return {
    translates: (operation, part) => formsOf(operation, part).length > 0,
    toWire: (operation, part, body) => translated(body, formsOf(operation, part), 'out'),
    fromWire(operation, part, body) {
      const forms = formsOf(operation, part).toReversed()
      const whole = forms.find((form) => form.whole !== undefined)?.whole
      return translated(body === undefined ? whole : body, forms, 'back')
    },
    hasWord: (operation, field, word) =>
      formsOf(operation, 'request').every(({ words }) =>
        words.every(
          ({ path, pairs }) =>
            path.join('.') !== field ||
            pairs.every(({ ours, theirs }) => ours !== word || theirs.length > 0),
        ),
      ),
  }
}

type Translations = Readonly<Record<string, BodyTranslation>>

const translators = new WeakMap<Translations, BodyTranslator>()

/** The translator of a session; undefined where its bodies are the documents’, as by default. */
export function bodyTranslator({
  translations,
}: {
  readonly translations: Translations
}): BodyTranslator | undefined {
  const known = translators.get(translations)
  if (known) return known
  const all = Object.values(translations)
  if (all.length === 0) return undefined
  const created = createTranslator(all)
  translators.set(translations, created)
  return created
}
