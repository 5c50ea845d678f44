/** Object schemas with the fields of a type: the compiler refuses one that lacks a field, required or not. */
import type { z } from 'zod'
import { plainObject } from '../../base/lazy-object.ts'

export const objectLike =
  <Type>() =>
  <Shape extends Readonly<Record<keyof Type, z.ZodType>>>(fields: () => Shape) =>
    plainObject(fields)
