/** How the names of folders begin in which runs are that could not be stored: a door knows them by it. */
export const UNSENT_FOLDER = "graph-deploy-unsent-";
