/**
 * Dialect options for bodies that differ on the wire: names of fields, words of enums, fields that a partner does not have or
 * needs besides. They are data, applied where bodies are written and read; all else knows the documents’ form alone.
 */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { oneWord } from '../setting.ts'
import { isUnknownRecord } from '../unknown-record.ts'

const dotted = 'is the names of fields with dots between them'
const Path = z.string().regex(/^[^.]+(\.[^.]+)*$/, dotted)
const PathOrWhole = z.string().regex(/^$|^[^.]+(\.[^.]+)*$/, dotted)
const values = z.record(Path, z.unknown())

/**
 * What a partner has in place of a word of ours. Of several words the first is written, in a list all are, and each is read;
 * `with` tells apart words of ours that share one of theirs; `false` is a word without any.
 */
const WireWord = z.union([
  z.string(),
  z.array(z.string()).min(1),
  z.strictObject({ word: z.string(), with: values }),
  z.literal(false),
])
export type WireWord = z.infer<typeof WireWord>

/** A member that is written with the word that a table has for the word of a field. */
const DerivedWord = z.strictObject({
  from: Path.describe('the field of ours whose word decides'),
  words: z
    .record(z.string(), z.string())
    .refine((words) => Object.keys(words).length > 0, 'has no word')
    .describe('words of ours in that field, and what the member says for each'),
})

// Mistakes by which what is written could not be read again, or would be written twice.

interface Written {
  readonly absent: readonly string[]
  readonly assumed: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, string>>
  readonly lift: Readonly<Record<string, unknown>>
  readonly copy: Readonly<Record<string, string>>
  readonly byWord: Readonly<Record<string, z.infer<typeof DerivedWord>>>
  readonly added: Readonly<Record<string, unknown>>
}

const parentOf = (path: string): string => path.split('.').slice(0, -1).join('.')

function addMistakes(
  { absent, assumed, fields, lift, copy, byWord, added }: Written,
  add: (path: string[], message: string) => void,
): void {
  const isLost = (path: string): boolean =>
    absent.some((each) => path === each || path.startsWith(`${each}.`))
  const written = new Map<string, string>()
  const write = (theirs: string, ...at: string[]): void => {
    const first = written.get(theirs)
    if (first === undefined) written.set(theirs, at.join('.'))
    else add(at, `it writes ${theirs} of the partner, as ${first} does`)
  }
  for (const [ours, theirs] of Object.entries(fields)) write(theirs, 'fields', ours)
  for (const [key, members] of Object.entries({ copy, byWord, added }))
    for (const theirs of Object.keys(members)) write(theirs, key, theirs)
  const taken = new Map<string, string>()
  for (const path of Object.keys(lift)) {
    const parent = parentOf(path)
    const cannot = `${path} cannot take the place of ${parent}`
    if (parent === '')
      add(
        ['lift', path],
        `${path} is in no object whose place it could take: a path such as price.value has one`,
      )
    else if (taken.has(parent)) add(['lift', path], `${cannot}, which ${taken.get(parent)} takes`)
    else if (isLost(path)) add(['lift', path], `${cannot}: the translation leaves it out (absent)`)
    taken.set(parent, path)
  }
  for (const [theirs, { from, words }] of Object.entries(byWord)) {
    if (!isLost(from) || Object.hasOwn(assumed, from)) continue
    const read = new Map<string, string>()
    for (const [ours, word] of Object.entries(words)) {
      const first = read.get(word)
      if (first !== undefined)
        add(
          ['byWord', theirs, 'words', ours],
          `${word} cannot be read: it is the word of ${first} as well, and ${from} itself is left out (absent)`,
        )
      read.set(word, first ?? ours)
    }
  }
}

export const BodyTranslation = strictObject(() => ({
  operations: z.array(z.string()).min(1).describe('names of the operations'),
  of: oneWord(['both', 'request', 'reply'], 'both').describe(
    'the body of the request, of the reply, or both',
  ),
  at: z
    .array(PathOrWhole)
    .min(1)
    .default([''])
    .describe(
      'the objects in the body, by their paths; an empty path is the body itself, a list stands for its entries',
    ),
  words: z
    .record(Path, z.record(z.string(), WireWord))
    .default({})
    .describe(
      'words of ours in a field, and what the partner writes: another, several, { word, with } or false for none',
    ),
  absent: z.array(Path).default([]).describe('fields of ours that the partner does not have'),
  assumed: z
    .record(PathOrWhole, z.unknown())
    .refine(({ '': body }) => body === undefined || isUnknownRecord(body), {
      path: [''],
      message: 'is not an object, and a body is one',
    })
    .default({})
    .describe(
      'what stands for fields of ours that a body of the partner lacks; under the empty path an object for a body that is absent altogether',
    ),
  fields: z
    .record(Path, Path)
    .default({})
    .describe('fields of ours, and where the partner has them'),
  lift: z
    .record(Path, values)
    .default({})
    .describe(
      'fields of ours that take the place of the object they are in, each with the other fields of that object as they are read: `price.value: { currency: BRL }` writes the price as a number',
    ),
  copy: z
    .record(Path, Path)
    .default({})
    .describe(
      'fields of the partner that repeat one of ours; read where that one is missing itself',
    ),
  byWord: z
    .record(Path, DerivedWord)
    .default({})
    .describe(
      'fields of the partner that follow from the word of one of ours, by a table; read by that table where the word is missing itself',
    ),
  added: values.default({}).describe('fields that we write besides, where they are missing'),
})).check(({ value, issues }) => {
  addMistakes(value, (path, message) => {
    issues.push({ code: 'custom', input: value, path, message })
  })
})
export type BodyTranslation = z.infer<typeof BodyTranslation>

export const translationSettings = () => ({
  translations: z
    .record(z.string(), BodyTranslation)
    .default({})
    .describe('how bodies differ on the wire, each under a name of its own; none by default'),
})
