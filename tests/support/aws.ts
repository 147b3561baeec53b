/** The region and the credentials with which AWS's clients reach the stand-ins on this machine. */
export const localAws = {
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
};
