/**
 * Translates bodies between the documents’ form and a partner’s (`conduct.translations`). Hosts and clients use it where they
 * write and read a body, the judge where it reads one of the wire; the traffic log has the wire’s form.
 */
import {
  type BodyPath,
  type JsonObject,
  moveField,
  parseBodyPath,
  putAt,
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

const fillInAll = (values: Readonly<Record<string, unknown>>): readonly Step[] =>
  Object.entries(values).map(([path, value]) => fillIn(parseBodyPath(path), value))

function formOf({ at, words, absent, assumed, fields, added }: BodyTranslation): Form {
  const tables = Object.entries(words).map(([path, table]) => wordTable(path, table))
  const moves = Object.entries(fields).map(
    ([ours, theirs]) => [parseBodyPath(ours), parseBodyPath(theirs)] as const,
  )
  return {
    places: at.map(parseBodyPath),
    words: tables,
    out: inOrder([
      ...tables.map(
        (table): Step =>
          (object) =>
            wordsToWire(object, table),
      ),
      ...absent.map((path) => without(parseBodyPath(path))),
      ...moves.map(
        ([ours, theirs]): Step =>
          (object) =>
            moveField(object, ours, theirs),
      ),
      ...fillInAll(added),
    ]),
    back: inOrder([
      ...moves.toReversed().map(
        ([ours, theirs]): Step =>
          (object) =>
            moveField(object, theirs, ours),
      ),
      ...fillInAll(assumed),
      ...tables.map(
        (table): Step =>
          (object) =>
            wordsFromWire(object, table),
      ),
    ]),
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
    fromWire: (operation, part, body) =>
      translated(body, formsOf(operation, part).toReversed(), 'back'),
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
