/** openapi-typescript with the compiler that it needs: TypeScript 7 has no API in JavaScript. */
import openapiTypescript, { astToString } from 'openapi-typescript'

export const typesOfDocument = async (document) => astToString(await openapiTypescript(document))
