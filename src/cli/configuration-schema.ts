/** The shape of a configuration file, as JSON Schema. */
import { z } from 'zod'
import { Configuration } from '../configuration.ts'

export const configurationSchema = () =>
  z.toJSONSchema(Configuration, { io: 'input', unrepresentable: 'any' })
