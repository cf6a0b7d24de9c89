// Remove preferences and corrections of one session.
//
// params:  scope STRING, session_id STRING
// returns: UserPreference INTEGER, Correction INTEGER
// mode:    write
CALL () {
  MATCH (n:UserPreference) WHERE n.scope = $scope AND n.session_id = $session_id
  DETACH DELETE n
  RETURN count(*) AS UserPreference
}
CALL () {
  MATCH (n:Correction) WHERE n.scope = $scope AND n.at IS NOT NULL
  WITH n WHERE n.session_id = $session_id
  DETACH DELETE n
  RETURN count(*) AS Correction
}
RETURN UserPreference, Correction
