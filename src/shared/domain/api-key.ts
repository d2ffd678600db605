/** The most characters of an API key's name. */
export const API_KEY_NAME_MAX = 50
