/**
 * Dialect options for bodies that differ on the wire: names of fields, words of enums, fields that a partner does not have or
 * needs besides. They are data, applied where bodies are written and read; all else knows the documents’ form alone.
 */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { oneWord } from '../setting.ts'

const path = z.string().regex(/^[^.]+(\.[^.]+)*$/, 'is the names of fields with dots between them')
const values = z.record(path, z.unknown())

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

export const BodyTranslation = strictObject(() => ({
  operations: z.array(z.string()).min(1).describe('names of the operations'),
  of: oneWord(['both', 'request', 'reply'], 'both').describe(
    'the body of the request, of the reply, or both',
  ),
  at: z
    .array(z.union([path, z.literal('')]))
    .min(1)
    .default([''])
    .describe(
      'the objects in the body, by their paths; an empty path is the body itself, a list stands for its entries',
    ),
  words: z
    .record(path, z.record(z.string(), WireWord))
    .default({})
    .describe(
      'words of ours in a field, and what the partner writes: another, several, { word, with } or false for none',
    ),
  absent: z.array(path).default([]).describe('fields of ours that the partner does not have'),
  assumed: values
    .default({})
    .describe('what stands for fields of ours that a body of the partner lacks'),
  fields: z
    .record(path, path)
    .default({})
    .describe('fields of ours, and where the partner has them'),
  added: values.default({}).describe('fields that we write besides, where they are missing'),
}))
export type BodyTranslation = z.infer<typeof BodyTranslation>

export const translationSettings = () => ({
  translations: z
    .record(z.string(), BodyTranslation)
    .default({})
    .describe('how bodies differ on the wire, each under a name of its own; none by default'),
})
