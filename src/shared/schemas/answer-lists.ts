/** `waiting`: those that the owner has to decide; `answered`: the others. */
export const ANSWER_LISTS = ['waiting', 'answered'] as const
export type AnswerList = (typeof ANSWER_LISTS)[number]
