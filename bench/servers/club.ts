/** The loyalty program and rewards of both servers, and the initial points of an account. */

export const club = { id: 'club', name: 'Clube' } as const

export const coffee = {
  id: 'coffee',
  programId: club.id,
  name: 'Café',
  type: 'product',
  cost: 30,
} as const

export const dinner = {
  id: 'dinner',
  programId: club.id,
  name: 'Jantar',
  type: 'generic',
  cost: 1_000_000_000,
} as const

/** Enough for every coffee of a run, and for no dinner. */
export const points = 100_000_000
