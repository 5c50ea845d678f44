/** Field names that say that their value is an identifier: `ticketId`, `externalRef`, `station_key`. */

const words = /(?:^|[_\-. ])(?:ids?|guid|uuid|ref|keys?)$/i
const humps = /[a-z\d](?:I[dD]s?|[GU]uid|[GU]UID|Ref|Keys?)$/

export const isIdentifierName = (name: string): boolean => words.test(name) || humps.test(name)
